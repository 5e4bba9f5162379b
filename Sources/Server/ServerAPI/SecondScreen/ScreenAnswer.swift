import HTTPServer

/// What a page's handler says.
enum ScreenAnswer: Sendable {
    /// - Parameters:
    ///   - retryAfter: for how long trying again is pointless.
    ///   - formTarget: see ``ContentPolicy``.
    case page(any Page, status: HTTPStatus = .ok, retryAfter: Duration? = nil, formTarget: String? = nil)
    /// To another page of this server; always by GET, so that going back or reloading sends no form again.
    case go(String)
    /// To another site: the page that began the login, its address unchanged (rest-v1 13.4), or a provider's own.
    case leave(String)
}
