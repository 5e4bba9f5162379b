import HTTPServer

/// The answers nearly every poll gets, written once.
struct PollAnswers: Sendable {
    /// `checkauthn/{code}`: everything else.
    let forbidden: PreparedError
    /// `checkauthn`: never signed in, or over.
    let tokenMissing: PreparedError
    let tokenExpired: PreparedError

    /// `authenticate/{code}`: not yet, or no longer.
    let codeNotFound: PreparedError
    /// `tokens/authn`: never signed in.
    let tokenNotFound: PreparedError
    /// Both: the token is over.
    let gone: PreparedError

    private let signedIn: HTTPResponse
    private let signedInJSON: HTTPResponse

    init(_ transport: TransportSecurity) {
        func error(_ error: WireError) -> PreparedError { PreparedError(error, transport) }
        self.forbidden = error(WireError(.forbidden, "Forbidden", code: .authenticationMissing))
        self.tokenMissing = error(
            WireError(.forbidden, "Authentication token not found", code: .authenticationMissing))
        self.tokenExpired = error(WireError(.forbidden, "Authentication token expired", code: .authenticationExpired))
        self.codeNotFound = error(.codeNotFound)
        self.tokenNotFound = error(.tokenNotFound)
        self.gone = error(.gone)
        self.signedIn = transport.added(to: Answer.empty(.ok)).prepared()
        self.signedInJSON = transport.added(to: Answer.content(WireFormat.json.contentType, "{}".utf8)).prepared()
    }

    /// `checkauthn`: signed in. Empty, or `{}` for a caller that asks for JSON by `Accept` (rest-v1 14.1).
    func signedIn(_ preference: FormatPreference) -> HTTPResponse {
        preference.acceptNamesJSON ? self.signedInJSON : self.signedIn
    }
}
