import Clientless
import Entitlement
import HTTPServer

// `config`: which providers a viewer may pick (rest-v1 12).
extension RESTv1 {
    private static let list = "The list, in the order it is to be shown."

    static let configurationEndpoints: [Endpoint<RESTv1>] = [
        Endpoint(
            [.init(.get, "/api/v1/config/{requestor}", "readConfiguration")], name: "config", .providers,
            "List the providers of a requestor", section: "rest-v1 12", requestor: .path, limits: .devices,
            bodyLimit: .page,
            fields: [.optional("deviceType", APIField.shortText, "Deprecated; ignored."), .format],
            answers: [
                .document(
                    200, list, json: "Configuration", xml: "ConfigurationDocument", headers: [.vary],
                    caching: APIAnswer.kept),
                .error(400, "`Invalid requestor`", .authentication), .tooManyRequests, .foreignOrigin,
            ], errors: .classic(.authentication),
            handler: .immediate { face, request in
                face.configuration(request, Call.preference(of: request, request.query).format)
            }),
        // XML always, whatever the suffix (rest-v1 3.5).
        Endpoint(
            [
                .init(.get, "/adobe-services/config/{requestor}", "readConfigurationDocument"),
                .init(.get, "/adobe-services/1.0/config/{requestor}", "readConfigurationDocument1"),
            ], name: "config-sdk", .providers, "List the providers of a requestor, always in XML",
            section: "rest-v1 12", requestor: .path,
            limits: .devices, bodyLimit: .page, fields: [],
            answers: [
                APIAnswer(
                    200, list, [.xml(.named("ConfigurationDocument"))], headers: [.vary], caching: APIAnswer.kept),
                .error(400, "`Invalid requestor`", .authentication), .tooManyRequests, .foreignOrigin,
            ], errors: .classic(.authentication),
            handler: .immediate { face, request in face.configuration(request, .xml) }),
    ]

    private func configuration(_ request: HTTPRequest, _ format: WireFormat) -> HTTPResponse {
        self.configurations.response(
            for: request.segment("requestor"), format, self.domain.degradations.inForce, now: self.context.now())
            ?? Answer.error(.invalid("requestor"), format)
    }
}
