import Clientless
import Entitlement
import HTTPServer

/// The answers of this face: XML on one line, whatever was asked for (sdk-services 1).
enum SDKAnswer {
    private static let document = JSONSchema.text(1...65_536, pattern: "^<signatureInfo>[^\\n\\r]+$").described(
        "A signed document, as text on one line.")
    private static let metadata = JSONSchema.text().described("User metadata, JSON as text.")

    static let session = Shape<SessionDocuments>(
        .init("authnToken", \.authentication, document), .init("userMeta", \.userMetadata, metadata))
    static let decision = Shape<(document: String, userMetadata: String?)>(
        .init("authzToken", \.document, document), .init("userMeta", optional: \.userMetadata, metadata))
    static let profile = Shape<String>(.init("profile", \.self, .text(1...4096)))
    static let logout = Shape<String>(.init("logoutUrl", \.self, .text(1...8192)))
    static let device = Shape<String>(.init("deviceId", \.self, .text(pattern: "^[0-9a-f]{64}$")))

    private static let error = Shape<SDKError>(
        .init("notAuthorized", optional: { $0.isDecision ? "" : nil }, .text(0...0)),
        .init("code", \.code, .text(pattern: "^([A-Z]+)?[0-9]+$")), .init("message", \.message, .text(1...1000)),
        .init("details", \.details, .text(1...10_000)))

    static let schemas: APIDescription.NamedSchemas = [
        "Device": device.schema(.json), "AuthenticationResult": session.schema(.xml).element("result"),
        "AuthorizationResult": decision.schema(.xml).element("result"),
        "BoxAccountProfile": profile.schema(.xml).element("result"),
        "LogoutResult": logout.schema(.xml).element("result"), "Refusal": error.schema(.xml).element("error"),
        "PendingLogout": JSONSchema.object([]).element("pendingLogout").described(
            "The presented token was good once and is no more: drop it and start over."),
    ]

    /// `<result>` with the members that are there.
    static func result<Value: Sendable>(_ shape: Shape<Value>, _ value: Value) -> HTTPResponse {
        Answer.object("result", shape, value, .xml)
    }

    /// A token document as it is, which is two elements side by side and so no document of XML.
    static func raw(_ document: String) -> HTTPResponse {
        Answer.content(WireFormat.xml.contentType, document.utf8)
    }

    static func refusal(_ refusal: SDKRefusal) -> HTTPResponse {
        var response: HTTPResponse
        switch refusal {
        case .pendingLogout(let ending):
            response = self.raw("<pendingLogout/>")
            // Boxes that do not know it pass over a header.
            if let ending { response.headers.add("Latchkey-Sign-In-Ending", ending.rawValue) }
        case .error(let error):
            response = Answer.document(WireDocument("error", self.error, error), .xml, status: error.status)
            if let challenge = error.challenge { response.headers.add("WWW-Authenticate", challenge) }
            if let seconds = error.retryAfter { response.headers.add("Retry-After", String(seconds)) }
        }
        return response
    }
}
