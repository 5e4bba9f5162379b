package import Cryptography
package import HTTPServer

/// How `authenticate` hands a browser over to the server's own pages (rest-v1 13.1, 13.3).
package struct SecondScreenEntrance: Sendable {
    /// The secret that ties a login to one browser, and the cookie that carries it when the browser has none yet.
    package typealias Session = (secret: Secret, setCookie: String?)

    let session: @Sendable (HTTPRequest) -> Session
    let signInPage: @Sendable (_ token: String) -> String

    /// - Parameters:
    ///   - session: finds or makes the browser's session.
    ///   - signInPage: where the browser goes on, for the token of a login.
    package init(
        session: @escaping @Sendable (HTTPRequest) -> Session,
        signInPage: @escaping @Sendable (_ token: String) -> String = { "/activate/sign-in?attempt=\($0)" }
    ) {
        self.session = session
        self.signInPage = signInPage
    }
}
