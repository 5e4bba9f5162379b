package import HTTPServer

/// An error as rest-v1 puts it on the wire: a status, a sentence, sometimes details (8.1).
package struct WireError: Error, Hashable, Sendable {
    /// The member `details`.
    package enum Details: Hashable, Sendable {
        /// The AuthN family and code records do not have it.
        case absent
        /// The AuthZ family always has it in JSON, `null` when there is nothing to say.
        case text(String?)
    }

    package let status: HTTPStatus
    package let message: String
    /// What XML says in place of `message`, where the two differ.
    package let xmlMessage: String?
    package let details: Details
    /// The OAuth error of a failed bearer call, in JSON only (7.6).
    package let oauthError: String?
    /// The value of `WWW-Authenticate`.
    package let challenge: String?
    /// Whole seconds for `Retry-After`.
    package let retryAfter: Int?

    package init(
        _ status: HTTPStatus, _ message: String, xml: String? = nil, details: Details = .absent,
        oauthError: String? = nil, challenge: String? = nil, retryAfter: Int? = nil
    ) {
        self.status = status
        self.message = message
        self.xmlMessage = xml
        self.details = details
        self.oauthError = oauthError
        self.challenge = challenge
        self.retryAfter = retryAfter
    }

    /// A parameter the caller left out, or left empty (8.2).
    package static func missing(_ parameter: String) -> WireError {
        WireError(.badRequest, "Required '\(parameter)' is not present")
    }

    /// A parameter whose value cannot be used.
    package static func invalid(_ parameter: String) -> WireError {
        WireError(.badRequest, "Invalid \(parameter)")
    }

    package static let notFound = WireError(.notFound, "Not Found")
    /// `tokens/authn` spells the same differently in XML (14.3).
    package static let tokenNotFound = WireError(.notFound, "Not Found", xml: "Not found")
    package static let forbidden = WireError(.forbidden, "Forbidden")
    package static let gone = WireError(.gone, "Gone")

    package static func tooManyRequests(retryAfter: Duration) -> WireError {
        let (seconds, rest) = retryAfter.components
        let whole = Int(clamping: rest > 0 ? seconds + 1 : seconds)
        return WireError(.tooManyRequests, "Too Many Requests", retryAfter: max(1, whole))
    }

    /// The same error with the member the AuthZ family always has.
    package func inAuthorizationFamily() -> WireError {
        guard case .absent = self.details else { return self }
        return WireError(
            self.status, self.message, xml: self.xmlMessage, details: .text(nil), oauthError: self.oauthError,
            challenge: self.challenge, retryAfter: self.retryAfter)
    }

    /// The classic error document.
    package var document: WireDocument {
        var members: [WireObject.Member] = [.init("status", .integer(Int64(self.status.code)))]
        if let xmlMessage = self.xmlMessage {
            members.append(.init("message", .string(self.message), only: .json))
            members.append(.init("message", .string(xmlMessage), only: .xml))
        } else {
            members.append(.init("message", .string(self.message)))
        }
        if case .text(let text) = self.details { members.append(.init("details", .optional(text))) }
        if let error = self.oauthError { members.append(.init("error", .string(error), only: .json)) }
        return WireDocument("error", WireObject(members))
    }
}
