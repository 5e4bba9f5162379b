import Entitlement
import HTTPServer

// `config`: which providers a viewer may pick (rest-v1 12).
extension RESTv1 {
    func addConfigurationRoutes(to router: inout Router) {
        let group = self.throttled(.path)
        router.on(.get, path: "/api/v1/config/{requestor}", name: "config", group: group) { request in
            self.configuration(request, Call.preference(of: request, request.query).format)
        }
        // XML always, whatever the suffix (rest-v1 3.5).
        router.on(.get, path: "/adobe-services/config/{requestor}", name: "config-sdk", group: group) {
            self.configuration($0, .xml)
        }
    }

    private func configuration(_ request: HTTPRequest, _ format: WireFormat) -> HTTPReply {
        .now(
            self.configurations.response(
                for: request.segment("requestor"), format, self.domain.degradations.inForce, now: self.now())
                ?? Answer.error(.invalid("requestor"), format))
    }
}
