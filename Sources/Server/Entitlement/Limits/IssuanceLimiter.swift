/// Bounds how many codes are issued to one address, network and credential, and how many clients register and how many
/// logins and trials begin from one address and network.
///
/// A box's credential is public knowledge, and open codes are what a guesser hits: who issues thousands of them makes
/// every guess better and every code longer. An address and a network that one customer may hold have their own
/// budgets. A credential is shared by every box of its application and is never closed: past its budget only addresses
/// that hold few codes are served.
///
/// Times are durations since the start of a monotonic clock; what is remembered is bounded, and of several nodes each
/// allows its part (``LivingNodes``).
package final class IssuanceLimiter: Sendable {
    /// So many at once, and so many more an hour.
    package struct Rate: Hashable, Sendable {
        package let burst: Double
        package let perHour: Double

        package init(burst: Double, perHour: Double) {
            precondition(burst >= 1 && perHour > 0, "a rate admits at least one")
            self.burst = burst
            self.perHour = perHour
        }
    }

    package struct Settings: Sendable {
        package var address = Rate(burst: 120, perHour: 720)
        /// An IPv6 /56.
        package var subscriber = Rate(burst: 240, perHour: 1440)
        /// An IPv4 /24 or IPv6 /48.
        package var network = Rate(burst: 2000, perHour: 14_400)
        /// A server that asks for boxes, by its credential and network.
        package var relay = Rate(burst: 20_000, perHour: 360_000)
        package var credential = Rate(burst: 20_000, perHour: 360_000)
        /// Codes that an address always has, though its credential is past its budget.
        package var floor = 5.0
        package var bound = 100_000

        package init() {}

        /// For new clients: a box registers once, and a household has few boxes.
        package static let registrations: Settings = {
            var settings = Settings()
            settings.address = Rate(burst: 20, perHour: 60)
            settings.subscriber = Rate(burst: 200, perHour: 600)
            settings.network = Rate(burst: 200, perHour: 600)
            return settings
        }()

        /// For sign-ins at trials and where a rule skips the login, which need no account: with the longest texts that
        /// a stranger chooses for its permits, an address adds less than 5 MB an hour to the store.
        package static let trials: Settings = {
            var settings = Settings()
            settings.address = Rate(burst: 30, perHour: 100)
            settings.subscriber = Rate(burst: 60, perHour: 200)
            settings.network = Rate(burst: 300, perHour: 2000)
            return settings
        }()

        func part(for nodes: LivingNodes) -> Settings {
            guard nodes.count > 1 else { return self }
            var part = self
            for rate in [\Self.address, \.relay, \.credential] {
                part[keyPath: rate] = nodes.part(of: self[keyPath: rate])
            }
            for rate in [\Self.subscriber, \.network] {
                part[keyPath: rate] = nodes.part(ofMany: self[keyPath: rate])
            }
            return part
        }
    }

    /// The longest that a code asked for with a public credential lives.
    package static let longestLifetimeOfPublic = Duration.seconds(3600)

    private enum Source: Hashable, Sendable {
        /// Of one tier: its length tells which.
        case network(NetworkPrefix)
        case relay(Guesser.Relay)
        case credential(String)
    }

    private let whole: Settings
    private let nodes: LivingNodes
    private let counts: BoundedMemory<Source, LeakyCount>
    /// This node's part.
    private var settings: Settings { self.whole.part(for: self.nodes) }

    /// - Parameter settings: for all nodes together.
    package init(_ settings: Settings = Settings(), nodes: LivingNodes = LivingNodes()) {
        self.whole = settings
        self.nodes = nodes
        self.counts = BoundedMemory(bound: settings.bound)
    }

    /// The places of a record with so many bytes of texts that its caller chose: what most records have is one.
    static func places(for bytes: Int) -> Double { Double(1 + bytes / 1536) }

    /// Takes the places of one code, one client, one login or one sign-in.
    /// - Parameters:
    ///   - places: more than the burst of a rate count as all of it.
    ///   - credential: the public key or client ID that proved the call; `nil` when it is not public.
    /// - Returns: `nil` when it may be made, else how long to wait.
    package func admit(_ caller: Guesser, places: Double = 1, credential: String?, at now: Duration) -> Duration? {
        let settings = self.settings
        let sources = Self.sources(caller, settings)
        for (index, (source, rate)) in sources.enumerated() {
            if let wait = self.take(places, of: source, rate, at: now) {
                self.giveBack(places, of: sources[..<index], at: now)
                return wait
            }
        }
        guard let credential else { return nil }
        guard let wait = self.take(places, of: .credential(credential), settings.credential, at: now)
        else { return nil }
        let address = Source.network(caller.address.prefix(.address))
        let own = self.counts[address]?.value(at: now, leak: settings.address.perHour) ?? 0
        // Its own places are among them already.
        guard own > settings.floor else { return nil }
        self.giveBack(places, of: sources[...], at: now)
        return wait
    }

    /// Gives the places back of what was not made after all.
    package func takeBack(_ caller: Guesser, places: Double = 1, credential: String?, at now: Duration) {
        let settings = self.settings
        self.giveBack(places, of: Self.sources(caller, settings)[...], at: now)
        if let credential {
            self.giveBack(places, of: [(.credential(credential), settings.credential)], at: now)
        }
    }

    private static func sources(_ caller: Guesser, _ settings: Settings) -> [(Source, Rate)] {
        let own = caller.address.tiers.compactMap { tier -> (Source, Rate)? in
            switch tier {
            case .address: (.network(caller.address.prefix(.address)), settings.address)
            case .subscriber: (.network(caller.address.prefix(.subscriber)), settings.subscriber)
            case .network: (.network(caller.address.prefix(.network)), settings.network)
            // A provider has any number of customers.
            case .provider: nil
            }
        }
        guard let relay = caller.relay else { return own }
        return own + [(.relay(relay), settings.relay)]
    }

    private func take(_ places: Double, of source: Source, _ rate: Rate, at now: Duration) -> Duration? {
        let places = min(places, rate.burst)
        return self.counts.update(source, initial: LeakyCount()) { count in
            let value = count.value(at: now, leak: rate.perHour)
            guard value + places <= rate.burst else {
                return .seconds(Int64(max(1, ((value + places - rate.burst) / rate.perHour * 3600).rounded(.up))))
            }
            count.add(places, at: now, leak: rate.perHour, most: rate.burst)
            return nil
        }
    }

    private func giveBack(_ places: Double, of taken: ArraySlice<(Source, Rate)>, at now: Duration) {
        for (source, rate) in taken {
            self.counts.update(source, initial: LeakyCount()) {
                $0.add(-min(places, rate.burst), at: now, leak: rate.perHour, most: rate.burst)
            }
        }
    }
}

extension DomainPart {
    /// Makes what takes places of `limiter`, which gets them back when nothing was made.
    /// - Parameter bytes: of the texts that the caller chose.
    /// - Throws: `tooManyAttempts`; what `body` throws.
    func issue<Value>(
        within limiter: IssuanceLimiter?, to caller: Guesser, bytes: Int = 0, credential: String? = nil,
        _ body: () async throws(EntitlementError) -> Value
    ) async throws(EntitlementError) -> Value {
        let places = IssuanceLimiter.places(for: bytes)
        if let wait = limiter?.admit(caller, places: places, credential: credential, at: self.uptime()) {
            self.report(.issuanceRefused(caller.address.neighbourhood))
            throw EntitlementError(.tooManyAttempts, retryAfter: wait, detail: "too many codes, logins or trials")
        }
        do {
            return try await body()
        } catch {
            limiter?.takeBack(caller, places: places, credential: credential, at: self.uptime())
            throw error
        }
    }
}

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
