import HTTPServer

/// A cookie of the pages: of this host alone, out of the reach of scripts, and not sent with forms of other sites.
///
/// The prefix `__Host-` keeps neighbours of the same domain from planting one (RFC 6265bis 4.1.3); browsers take it over
/// encrypted connections only.
struct PageCookie: Sendable {
    private let plainName: String
    /// Seconds.
    private let lifetime: Int

    init(_ name: String, lifetime: Int) {
        self.plainName = name
        self.lifetime = lifetime
    }

    func value(in request: HTTPRequest, isSecure: Bool) -> String? { request.cookie(self.name(isSecure)) }

    /// The value of `Set-Cookie`.
    /// - Parameter isSecure: whether the browser's own connection is encrypted, perhaps to a proxy in front.
    func setting(_ value: String, isSecure: Bool) -> String {
        let attributes = "Path=/; Max-Age=\(self.lifetime); HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
        return "\(self.name(isSecure))=\(value); \(attributes)"
    }

    /// The value of `Set-Cookie` that makes the browser forget.
    func forgetting(isSecure: Bool) -> String {
        PageCookie(self.plainName, lifetime: 0).setting("", isSecure: isSecure)
    }

    private func name(_ isSecure: Bool) -> String { isSecure ? "__Host-\(self.plainName)" : self.plainName }
}
