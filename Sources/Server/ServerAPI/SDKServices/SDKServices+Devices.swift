import Clientless
import Entitlement
import FoundationEssentials
import HTTPServer

// `indiv/devices`: what a box is called here, and the pass that goes with the name (sdk-services 2).
extension SDKServices {
    /// Bytes of a fingerprint.
    private static let fingerprintLengths = 1...512

    func addDeviceRoutes(to router: inout Router) {
        router.on(.post, path: "/indiv/devices", name: "sdk-devices", group: self.group) { request in
            self.authenticated(request, for: { .parameter($0.requestorName, orElse: .optional) }) { call, _ in
                try self.individualise(call)
            }
        }
    }

    private func individualise(_ call: Call) throws -> HTTPResponse {
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(call.request.body)),
            Self.fingerprintLengths.contains(body.fingerprint.utf8.count)
        else { throw SDKRefusal.invalid("fingerprint") }
        let name = self.domain.documents.individualDeviceID(of: body.fingerprint)
        guard let device = DeviceID(name) else { throw SDKRefusal.invalid("fingerprint") }
        let pass = try self.domain.documents.passDocument(for: device, now: call.now)
        let document = WireDocument("device", WireObject([.init("deviceId", .string(name))]))
        return Answer.document(document, .json).adding("pass_sfp", pass)
    }

    private struct Body: Decodable {
        let fingerprint: String
    }
}
