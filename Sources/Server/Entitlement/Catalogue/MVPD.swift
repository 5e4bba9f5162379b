package import Clientless

/// A TV provider, as people pick it (rest-v1 12).
package struct MVPD: Sendable {
    /// How its viewers sign in.
    package enum Kind: Sendable {
        /// At a ``Provider``.
        case provider
        /// Not at all: a trial with these rules (rest-v1 20).
        case trial(TrialRules)
    }

    package let id: MVPDID
    package let displayName: String
    /// Never empty on the wire; the faces fill in a placeholder (rest-v1 12).
    package let logoURL: String?
    package let kind: Kind
    /// How long it may take to answer; `nil` is as long as any (``Entitlements/Limits/providerTime``).
    package let answerTime: Duration?
    /// `nil` for a provider that is not asked to sign viewers in by their home.
    package let home: HomeRules?

    package init(
        id: MVPDID, displayName: String, logoURL: String? = nil, kind: Kind, answerTime: Duration? = nil,
        home: HomeRules? = nil
    ) {
        self.id = id
        self.displayName = displayName
        self.logoURL = logoURL
        self.kind = kind
        self.answerTime = answerTime
        self.home = home
    }

    /// The rules of a trial; `nil` for a provider that viewers sign in at.
    package var trial: TrialRules? {
        switch self.kind {
        case .provider: nil
        case .trial(let rules): rules
        }
    }
}
