package import Clientless

/// A TV provider, as people pick it (rest-v1 12).
package struct MVPD: Sendable {
    package let id: MVPDID
    package private(set) var displayName: String
    /// The address of its logo, if boxes may know it. On the wire a logo is never missing: this server's own copy comes
    /// first, and a placeholder last (rest-v1 12).
    package private(set) var logoURL: String?
    /// The names of the regions it serves; empty stands for all.
    package private(set) var regions: Set<String>
    /// The rules of a trial (rest-v1 20); `nil` for a provider that viewers sign in at.
    package let trial: TrialRules?
    /// How long it may take to answer; `nil` is as long as any (``Entitlements/Limits/providerTime``).
    package let answerTime: Duration?
    /// `nil` for a provider that is not asked to sign viewers in by their home.
    package let home: HomeRules?
    /// The provider that serves this one's viewers, by whose name tokens and decisions tell of it (rest-v1 15.1, 22.4); it
    /// need not be in the catalogue. `nil` for one that serves its own.
    package let proxy: MVPDID?

    package init(
        id: MVPDID, displayName: String, logoURL: String? = nil, regions: Set<String> = [], trial: TrialRules? = nil,
        answerTime: Duration? = nil, home: HomeRules? = nil, proxy: MVPDID? = nil
    ) {
        self.id = id
        self.displayName = displayName
        self.logoURL = logoURL
        self.regions = regions
        self.trial = trial
        self.answerTime = answerTime
        self.home = home
        self.proxy = proxy
    }

    /// Whether it serves `region` and not simply all of them.
    package func isLocal(to region: String?) -> Bool { region.map { self.regions.contains($0) } ?? false }

    /// The provider as the viewers of one requestor are shown it.
    func shown(by integration: Integration?) -> MVPD {
        guard let look = integration?.look else { return self }
        var copy = self
        copy.displayName = look.displayName ?? self.displayName
        copy.logoURL = look.logoURL ?? self.logoURL
        copy.regions = look.regions ?? self.regions
        return copy
    }
}
