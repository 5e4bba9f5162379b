package import Clientless
public import FoundationEssentials

extension AccessEnabler {
    /// A code to show, and the page where a viewer enters it (access-enabler 4.3).
    public struct RegistrationCode: Sendable, Hashable {
        /// The code without separators, for the wire.
        public let code: String
        /// The page where it is entered; `nil` when neither server nor configuration names one.
        public let loginURL: String?
        /// A shorter address of the page with the code filled in, all in upper case, which makes the smallest QR code;
        /// `nil` from servers that have none, and where the page is not the server's own.
        public let shortURL: String?
        /// When it runs out, by the server's clock, which need not be the box's; see ``timeLeft``.
        public let expires: Date
        /// The provider it was asked for, if any.
        public let mvpdID: String?

        package let expiresAt: Timestamp
        private let deadline: ContinuousClock.Instant

        /// - Parameter now: the server's time at this moment.
        package init(
            code: RegistrationCodeText, loginURL: String?, shortURL: String? = nil, expires: Timestamp,
            mvpdID: String? = nil, at now: Timestamp
        ) {
            self.deadline = .now + max(.zero, expires - now)
            self.code = code.text
            self.loginURL = loginURL
            self.shortURL = shortURL
            self.expiresAt = expires
            self.expires = Date(timeIntervalSince1970: Double(expires.milliseconds) / 1000)
            self.mvpdID = mvpdID
        }

        /// How long it still lives, whatever happens to the clocks of box and server; zero when it is over.
        public var timeLeft: Duration { max(.zero, self.deadline - .now) }
        /// The code in two groups, as viewers read it.
        public var grouped: String { RegistrationCodeText(self.code)?.grouped ?? self.code }

        /// The URL with the code filled in; `nil` without a URL. A QR code is smaller of ``shortURL``, if there is one.
        public var qrPayload: String? {
            guard let url = self.loginURL else { return nil }
            let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let separator = parts[0].contains("?") ? "&" : "?"
            let fragment = parts.count == 2 ? "#\(parts[1])" : ""
            return "\(parts[0])\(separator)code=\(self.code)\(fragment)"
        }
    }
}

// A live code must not reach a log by interpolation.
extension AccessEnabler.RegistrationCode: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never the code: it must not reach a log.
    public var description: String { "<code>" }
    /// Never the code: it must not reach a log.
    public var debugDescription: String { "<code>" }
}
