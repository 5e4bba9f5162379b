import Entitlement
import HTTPServer

/// Why a person does not get the page they asked for.
struct Problem: Error, Sendable {
    enum Kind: Hashable, Sendable {
        /// The request makes no sense.
        case malformed
        /// The code is unknown, used or over, which are one thing to a stranger.
        case code
        /// The form or the login is not of this browser, or too old.
        case session
        case tooManyAttempts
        case provider
        case missingPage
        case method
        /// The store cannot be reached, or the server is stopping.
        case busy
        case trouble
    }

    let kind: Kind
    let retryAfter: Duration?
    /// For operators; never shown.
    let detail: String?

    init(_ kind: Kind, retryAfter: Duration? = nil, detail: String? = nil) {
        self.kind = kind
        self.retryAfter = retryAfter
        self.detail = detail
    }

    init(_ error: EntitlementError) {
        switch error.code {
        case .codeUnknown, .codeUsed, .codeDeclined: self.init(.code)
        case .loginUnknown: self.init(.session)
        case .unknownProvider, .unknownRequestor: self.init(.malformed)
        case .tooManyAttempts: self.init(.tooManyAttempts, retryAfter: error.retryAfter ?? .seconds(60))
        case .providerUnavailable: self.init(.provider, detail: error.debugDescription)
        case .storeUnavailable: self.init(.busy, retryAfter: .seconds(5), detail: error.debugDescription)
        // No page asks what these answer.
        case .notAuthenticated, .authenticationExpired, .authenticationRevoked, .notAuthorized, .authorizationMissing,
            .authorizationExpired, .tooManyResources, .foreignToken, .deviceMismatch, .trialExhausted,
            .passiveNotPossible, .platformRefused, .internal:
            self.init(.trouble, detail: error.debugDescription)
        }
    }

    var status: HTTPStatus {
        switch self.kind {
        case .malformed, .code: .badRequest
        case .session: .forbidden
        case .tooManyAttempts: .tooManyRequests
        case .provider: .badGateway
        case .missingPage: .notFound
        case .method: .methodNotAllowed
        case .busy: .serviceUnavailable
        case .trouble: .internalServerError
        }
    }

    /// Whether the same page may be there after a while; any other problem needs a new beginning.
    var mayPass: Bool {
        switch self.kind {
        case .tooManyAttempts, .provider, .busy, .trouble: true
        case .malformed, .code, .session, .missingPage, .method: false
        }
    }

    var heading: PhraseKey {
        switch self.kind {
        case .malformed: .malformedTitle
        case .code: .codeTitle
        case .session: .sessionTitle
        case .tooManyAttempts: .attemptsTitle
        case .provider: .providerTitle
        case .missingPage: .missingTitle
        case .method: .methodTitle
        case .busy: .busyTitle
        case .trouble: .troubleTitle
        }
    }

    var explanation: PhraseKey {
        switch self.kind {
        case .malformed: .malformedText
        case .code: .codeText
        case .session: .sessionText
        case .tooManyAttempts: .attemptsText
        case .provider: .providerText
        case .missingPage: .missingText
        case .method: .methodText
        case .busy: .busyText
        case .trouble: .troubleText
        }
    }
}
