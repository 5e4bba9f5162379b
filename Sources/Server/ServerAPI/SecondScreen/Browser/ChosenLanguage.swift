import HTTPServer

/// The language a viewer chose on a page, kept in a cookie of their browser and nowhere else.
enum ChosenLanguage {
    /// Seconds: a year.
    private static let lifetime = 365 * 24 * 3600

    /// What the browser remembers; the caller checks that there is such a language.
    static func of(_ request: HTTPRequest, isSecure: Bool) -> String? {
        request.cookie(self.name(isSecure: isSecure))
    }

    /// The value of `Set-Cookie`.
    /// - Parameter language: the tag of a language of the pages.
    static func cookie(_ language: String, isSecure: Bool) -> String {
        let attributes = "Path=/; Max-Age=\(self.lifetime); HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
        return "\(self.name(isSecure: isSecure))=\(language); \(attributes)"
    }

    private static func name(isSecure: Bool) -> String {
        isSecure ? "__Host-latchkey-language" : "latchkey-language"
    }
}
