package import Clientless

/// A TV provider, as people pick it (rest-v1 12).
package struct MVPD: Sendable {
    /// How its viewers sign in.
    package enum Kind: String, Sendable, Codable {
        /// Accounts in the server's own store.
        case local
        /// No accounts at all: a trial (rest-v1 20).
        case temporaryPass
    }

    package let id: MVPDID
    package let displayName: String
    /// Never empty on the wire; the faces fill in a placeholder (rest-v1 12).
    package let logoURL: String?
    package let kind: Kind
    /// The rules of a trial; there are some exactly when `kind` is `temporaryPass`.
    package let trial: TrialRules?

    package init(id: MVPDID, displayName: String, logoURL: String? = nil, kind: Kind, trial: TrialRules? = nil) {
        precondition((kind == .temporaryPass) == (trial != nil), "a trial has rules, and nothing else has")
        self.id = id
        self.displayName = displayName
        self.logoURL = logoURL
        self.kind = kind
        self.trial = trial
    }
}
