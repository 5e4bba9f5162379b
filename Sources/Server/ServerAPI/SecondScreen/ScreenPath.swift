import Clientless
import HTTPServer
import TextCoding

/// Where the pages are.
package enum ScreenPath {
    static let landing = "/"
    package static let activate = "/activate"
    static let provider = "/activate/provider"
    static let signIn = "/activate/sign-in"
    /// Sends the browser to the provider.
    static let handOver = "/activate/go"
    /// Where a browser goes on whose answer of the provider came without its cookie.
    static let returning = "/activate/return"
    static let confirm = "/activate/confirm"
    static let decline = "/activate/decline"
    static let done = "/activate/done"
    static let declined = "/activate/declined"

    /// The page that asks for a code, with `code` filled in. Nothing is looked up before the person sends it.
    static func activate(_ code: RegistrationCodeText) -> String { "\(self.activate)?code=\(code.text)" }

    /// The picker for `code`. The code is what the person types anyway; nothing else is ever in an address but the
    /// token of a login, which opens nothing without the browser's cookie.
    static func provider(of code: RegistrationCodeText) -> String { "\(self.provider)?code=\(code.text)" }

    /// Where a browser goes that was given `token` and has to sign in at a provider of this server.
    package static func signIn(_ token: String) -> String { self.path(self.signIn, token) }

    static func handOver(_ token: String) -> String { self.path(self.handOver, token) }

    static func returning(_ token: String) -> String { self.path(self.returning, token) }

    static func confirm(_ token: String) -> String { self.path(self.confirm, token) }

    static func done(_ token: String) -> String { self.path(self.done, token) }

    private static func path(_ page: String, _ token: String) -> String {
        "\(page)?attempt=\(PercentCoding.encoded(token))"
    }
}
