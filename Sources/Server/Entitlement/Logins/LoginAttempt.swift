package import Clientless
import TextCoding

/// The keyed hash of the secret that ties a browser's login to a code; the secret itself is in the browser alone.
package struct AttemptID: Hashable, Sendable {
    /// 32 bytes.
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// One browser on its way through one provider's login for one code (rest-v1 13.2).
package struct LoginAttempt: Hashable, Sendable {
    /// An attempt that takes longer is forgotten (rest-v1 9).
    package static let lifetime: Duration = .seconds(15 * 60)

    /// The caller that started it, which decides where it goes when it is over.
    package enum Origin: Hashable, Sendable {
        /// The server's own page.
        case secondScreen
        /// `authenticate`, called from a programmer's page (rest-v1 13.1).
        case foreignPage(redirectURL: String)
        /// A viewer who wants to see their boxes. It signs no box in.
        case boxList

        /// The bytes of the address that its caller chose.
        var size: Int {
            switch self {
            case .secondScreen, .boxList: 0
            case .foreignPage(let redirectURL): redirectURL.utf8.count
            }
        }
    }

    package enum Progress: Hashable, Sendable {
        /// At a page of this server, or the provider has not been asked yet.
        case atProvider
        /// The provider sends the browser back. The provider's address, and the facts for the answer, are sealed.
        case handedOver(sealedExchange: [UInt8])
        /// The provider's answer was taken, and not accepted so far. It counts once; the viewer begins anew.
        case answered
        /// The login was accepted; the sealed bytes are its ``AcceptedLogin``.
        case accepted(sealedLogin: [UInt8])
        /// It completed its code, and cannot be used again.
        case completed
        /// Refused or declined: it cannot be used again.
        case closed
    }

    package let id: AttemptID
    package let code: RegistrationCodeText
    package let requestor: RequestorID
    package let mvpd: MVPDID
    package let origin: Origin
    /// The keyed hash of the browser's session; another browser cannot go on with the attempt.
    package let browser: [UInt8]
    package let created: Timestamp
    package var progress: Progress
    /// Counts the changes of a stored attempt; a change names the version it read.
    package var version: Int

    package init(
        id: AttemptID, code: RegistrationCodeText, requestor: RequestorID, mvpd: MVPDID, origin: Origin,
        browser: [UInt8], created: Timestamp, progress: Progress = .atProvider, version: Int = 0
    ) {
        self.id = id
        self.code = code
        self.requestor = requestor
        self.mvpd = mvpd
        self.origin = origin
        self.browser = browser
        self.created = created
        self.progress = progress
        self.version = version
    }

    package var expires: Timestamp { self.created + Self.lifetime }
}

/// An attempt and its code, both as stored.
package typealias StoredLogin = (attempt: LoginAttempt, record: RegistrationRecord)

/// A login while its browser is at the provider: what finishes it on any node. Kept sealed with the attempt.
struct ProviderExchange: Sealable {
    /// Longer addresses are cut by browsers and proxies.
    private static let maximumAddress = 8192
    private static let maximumForm = 65_536

    private let url: String?
    private let form: ProviderForm?
    let state: ProviderState
    let context: ProviderLoginContext
    /// Whether the viewer is not asked because they may be at home; one who is not is asked then.
    let triesHome: Bool

    /// - Throws: `misconfigured` when the browser cannot be sent there.
    init(_ start: ProviderStart, _ context: ProviderLoginContext, triesHome: Bool) throws(ProviderError) {
        switch start.handover {
        case .redirect(let url) where Self.isAddress(url):
            self.url = url
            self.form = nil
        case .form(let form) where Self.isUsable(form):
            self.url = nil
            self.form = form
        case .signInPage, .redirect, .form, .accepted:
            throw ProviderError(.misconfigured, detail: "the provider has no address that a browser can be sent to")
        }
        self.state = start.state
        self.context = context
        self.triesHome = triesHome
    }

    var json: JSONValue {
        .members([
            "url": self.url.map { .string($0) }, "form": self.form?.json, "state": self.state.json,
            "context": self.context.json, "triesHome": .boolean(self.triesHome),
        ])
    }

    var handover: ProviderHandover? { self.url.map { .redirect(url: $0) } ?? self.form.map { .form($0) } }

    private static func isUsable(_ form: ProviderForm) -> Bool {
        form.fields.count <= ProviderCallback.maximumCount && self.isAddress(form.address)
            && form.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } <= self.maximumForm
    }

    /// An address fit for a header field and a page's policy: an absolute one of the web, in visible ASCII, without
    /// a user's name.
    private static func isAddress(_ text: String) -> Bool {
        let schemes = ["https://", "http://"]
        guard text.utf8.count <= self.maximumAddress, text.utf8.span.isVisible,
            let scheme = schemes.first(where: { text.prefix($0.utf8.count).lowercased() == $0 })
        else { return false }
        let authority = text.utf8.dropFirst(scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
        return !authority.isEmpty && !authority.contains { "@\\;,'\"<>".utf8.contains($0) }
    }
}
