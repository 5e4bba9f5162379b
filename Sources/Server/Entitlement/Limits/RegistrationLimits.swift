/// How many clients register: from one address and network lately, and of one application within a day.
final class RegistrationLimits: Sendable {
    enum Place: Hashable, Sendable {
        /// The address holds fewer clients of the day than are always served.
        case hasFew
        case hasMany
        case refused(wait: Duration)
    }

    /// Clients of the day that an address always has, though its application is past its quota.
    private static let few = IssuanceLimiter.Rate(burst: 5, perHour: 5.0 / 24)
    /// The same for a network around it: the number of addresses in one is its owner's to choose.
    private static let fewOfNetwork = IssuanceLimiter.Rate(burst: 500, perHour: 500.0 / 24)

    let clientsPerDay: Int
    private let lately: IssuanceLimiter?
    private let today: IssuanceLimiter

    init(_ limits: Entitlements.Limits, nodes: LivingNodes = LivingNodes()) {
        self.clientsPerDay = limits.clientsPerDay
        self.lately = limits.registrations.map { IssuanceLimiter($0, nodes: nodes) }
        var settings = IssuanceLimiter.Settings()
        settings.address = Self.few
        settings.subscriber = Self.fewOfNetwork
        settings.network = Self.fewOfNetwork
        self.today = IssuanceLimiter(settings, nodes: nodes)
    }

    /// Takes the place of one client.
    func admit(_ caller: Guesser, at now: Duration) -> Place {
        if let wait = self.lately?.admit(caller, credential: nil, at: now) { return .refused(wait: wait) }
        return self.today.admit(caller, credential: nil, at: now) == nil ? .hasFew : .hasMany
    }

    /// Gives the place of a client back that was not kept after all.
    /// - Parameter place: as ``admit(_:at:)`` gave it.
    func takeBack(_ caller: Guesser, _ place: Place, at now: Duration) {
        self.lately?.takeBack(caller, credential: nil, at: now)
        if place == .hasFew { self.today.takeBack(caller, credential: nil, at: now) }
    }
}
