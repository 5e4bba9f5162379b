import Entitlement
import HTTPServer

/// The answers of this face: XML on one line, whatever was asked for (sdk-services 1).
enum SDKAnswer {
    /// `<result>` with the members that are there.
    static func result(_ members: [(name: String, text: String?)]) -> HTTPResponse {
        let object = WireObject(members.map { .init($0.name, .optional($0.text)) })
        return Answer.document(WireDocument("result", object), .xml)
    }

    /// A token document as it is, which is two elements side by side and so no document of XML.
    static func raw(_ document: String) -> HTTPResponse {
        Answer.content(WireFormat.xml.contentType, .text(document))
    }

    static func refusal(_ refusal: SDKRefusal) -> HTTPResponse {
        switch refusal {
        case .pendingLogout(let ending): return self.pendingLogout(ending)
        case .error(let error): return Self.error(error)
        }
    }

    /// How the sign-in ended stands in a header, which boxes that do not know it pass over.
    private static func pendingLogout(_ ending: SignInEnding?) -> HTTPResponse {
        var response = self.raw("<pendingLogout/>")
        if let ending { response.headers.add("Latchkey-Sign-In-Ending", ending.rawValue) }
        return response
    }

    private static func error(_ error: SDKError) -> HTTPResponse {
        let object = WireObject([
            .init("notAuthorized", error.isDecision ? .string("") : .null), .init("code", .string(error.code)),
            .init("message", .string(error.message)), .init("details", .string(error.details)),
        ])
        var response = Answer.document(WireDocument("error", object), .xml, status: error.status)
        if let challenge = error.challenge { response.headers.add("WWW-Authenticate", challenge) }
        if let seconds = error.retryAfter { response.headers.add("Retry-After", String(seconds)) }
        return response
    }
}
