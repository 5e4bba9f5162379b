import Clientless
import TextCoding

package enum ScreenPath {
    static let landing = "/"
    /// The path that is short enough to say and to print; it leads to the page that asks for a code.
    static let go = "/go"
    package static let activate = "/activate"
    static let provider = "/activate/provider"
    static let signIn = "/activate/sign-in"
    static let passkeySignIn = "/activate/sign-in/passkey"
    /// Tells a script of the sign-in page which passkeys an account has.
    static let passkeys = "/activate/sign-in/passkeys"
    /// Takes a new passkey once the box is signed in.
    static let passkey = "/activate/done/passkey"
    static let handOver = "/activate/go"
    /// The page for a browser whose answer of the provider came without its cookie.
    static let confirm = "/activate/confirm"
    static let decline = "/activate/decline"
    static let done = "/activate/done"
    static let answer = "/activate/done/answer"
    static let declined = "/activate/declined"
    /// The page that `helpUrl` of errors leads to (rest-v1 8.3).
    static let errorCodes = "/help/errors"
    static let language = "/activate/language"
    /// Whether a code that is typed completely is one.
    static let check = "/activate/check"
    package static let boxes = "/boxes"
    static let allBoxes = "/boxes/all"
    static let boxChange = "/boxes/change"
    static let boxesOver = "/boxes/over"
    /// The page that a message about a new box leads to.
    static let newBox = "/boxes/new"
    /// The beginning of short addresses. They are shown in upper case, which a QR code holds in fewer modules, and
    /// typed in lower case.
    static let short = ["/G", "/g"]

    /// The page that asks for a code, with `code` filled in. The code is looked up only when the person sends it.
    static func activate(_ code: RegistrationCodeText) -> String { "\(self.activate)?code=\(code.text)" }

    /// The short address of the page, before the code that is filled in, all in upper case: a host and a scheme are the
    /// same in any case (RFC 3986 6.2.2.1), and the path is ours.
    /// - Parameter origin: scheme, host and port of this server.
    static func shortAddress(at origin: String) -> String { "\(origin)\(self.short[0])/".uppercased() }

    /// The picker for `code`. The code is what the person types anyway; nothing else is ever in an address but the
    /// token of a login, which opens nothing without the browser's cookie.
    static func provider(of code: RegistrationCodeText) -> String { "\(self.provider)?code=\(code.text)" }

    /// The page for a browser that was given `token` and has to sign in at a provider of this server.
    package static func signIn(_ token: String) -> String { self.path(self.signIn, token) }
    static func handOver(_ token: String) -> String { self.path(self.handOver, token) }
    static func confirm(_ token: String) -> String { self.path(self.confirm, token) }
    static func done(_ token: String) -> String { self.path(self.done, token) }
    static func answer(_ token: String) -> String { self.path(self.answer, token) }
    static func boxes(_ token: String) -> String { self.path(self.boxes, token) }
    static func allBoxes(_ token: String) -> String { self.path(self.allBoxes, token) }

    /// The page of a message about a new box.
    /// - Parameter notice: what opens it (`AddedBox.notice`).
    package static func boxNotice(_ notice: String) -> String { self.path(self.newBox, "notice", notice) }
    static func confirmReadOut(_ token: String) -> String { self.confirm(token) + "&way=readOut" }
    private static func path(_ page: String, _ token: String) -> String { self.path(page, "attempt", token) }

    static func path(_ page: String, _ field: String, _ value: String) -> String {
        "\(page)?\(field)=\(PercentCoding.encoded(value))"
    }
}
