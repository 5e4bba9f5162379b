import HTTPServer

/// The answers nearly every poll gets, written once.
struct PollAnswers: Sendable {
    /// `checkauthn`: signed in. Empty, or `{}` for a caller that asks for JSON by `Accept` (rest-v1 14.1).
    let signedIn = Answer.empty(.ok).prepared()
    let signedInJSON = HTTPResponse(
        status: .ok,
        headers: HTTPHeaders([("Content-Type", WireFormat.json.contentType), ("Cache-Control", Answer.uncached)]),
        body: .text("{}")
    ).prepared()

    /// `checkauthn/{code}`: everything else.
    let forbidden = PreparedError(WireError(.forbidden, "Forbidden", code: .authenticationMissing))
    /// `checkauthn`: never signed in, or over.
    let tokenMissing = PreparedError(
        WireError(.forbidden, "Authentication token not found", code: .authenticationMissing))
    let tokenExpired = PreparedError(
        WireError(.forbidden, "Authentication token expired", code: .authenticationExpired))

    /// `authenticate/{code}`: not yet, or no longer.
    let codeNotFound = PreparedError(.codeNotFound)
    /// `tokens/authn`: never signed in.
    let tokenNotFound = PreparedError(.tokenNotFound)
    /// Both: the token is over.
    let gone = PreparedError(.gone)

    func signedIn(_ preference: FormatPreference) -> HTTPResponse {
        preference.acceptNamesJSON ? self.signedInJSON : self.signedIn
    }
}
