import HTTPServer

/// A cookie of pages: of this host alone, out of the reach of scripts, and not sent with forms of other sites.
///
/// The prefix `__Host-` keeps neighbours of the same domain from planting one (RFC 6265bis 4.1.3); browsers take it over
/// encrypted connections only.
struct PageCookie: Sendable {
    private let plainName: String
    /// The text behind its value.
    private let attributes: String

    /// - Parameters:
    ///   - lifetime: in seconds; `nil` ends with the browser.
    ///   - isStrict: whether links of other sites do not bring it along either.
    init(_ name: String, lifetime: Int?, isStrict: Bool = false) {
        let age = lifetime.map { "; Max-Age=\($0)" } ?? ""
        self.plainName = name
        self.attributes = "; Path=/\(age); HttpOnly; SameSite=\(isStrict ? "Strict" : "Lax")"
    }

    func value(in request: HTTPRequest, isSecure: Bool) -> String? { request.cookie(self.name(isSecure)) }

    /// The value of `Set-Cookie`.
    /// - Parameter isSecure: whether the browser's own connection is encrypted, perhaps to a proxy in front.
    func setting(_ value: String, isSecure: Bool) -> String {
        self.name(isSecure) + "=" + value + self.attributes + (isSecure ? "; Secure" : "")
    }

    /// The value of `Set-Cookie` that makes the browser forget.
    func forgetting(isSecure: Bool) -> String {
        PageCookie(self.plainName, lifetime: 0).setting("", isSecure: isSecure)
    }

    private func name(_ isSecure: Bool) -> String { isSecure ? "__Host-\(self.plainName)" : self.plainName }
}
