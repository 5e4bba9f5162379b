package import Clientless

/// The keyed hash of the secret that ties a browser's login to a code; the secret itself is in the browser alone.
package struct AttemptID: Hashable, Sendable {
    /// 32 bytes.
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
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
        browser: [UInt8], created: Timestamp, progress: Progress = .atProvider,
        version: Int = 0
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
package struct StoredLogin: Hashable, Sendable {
    package let attempt: LoginAttempt
    package let record: RegistrationRecord

    package init(attempt: LoginAttempt, record: RegistrationRecord) {
        self.attempt = attempt
        self.record = record
    }
}
