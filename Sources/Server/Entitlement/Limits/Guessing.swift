package import Clientless
import Synchronization

/// Slows down guessers of codes, and keeps out no viewer for it (rest-v1 24.4).
///
/// - A guess takes its place before the look and gives it back when it was right, so that guesses at once count as those
///   one after the other do.
/// - Distinct codes count. An address that asks again for a code that is over pays once.
/// - Networks around an address have budgets of their own. A crowded one leaves each address within a floor; only
///   networks that one customer may hold whole are closed.
/// - The service never closes. Its budget says how scarce guesses are: the scarcer, the fewer remain for addresses
///   without a recent success, down to a floor, and those with most wrong guesses are refused first.
/// - A session or box that has paired passes all but its own limit, an address that has keeps a higher floor, and a
///   code that was issued to a box in the caller's own network is looked up whatever else is closed: a guesser gains
///   nothing but a neighbour's.
///
/// Its memory is bounded, in this process, and forgets the oldest; of several nodes each allows its part
/// (``LivingNodes``). A refused guess is not looked up, so it costs the same whether it was right. All times are durations
/// since the start of a monotonic clock.
package final class Guessing: Sendable {
    package struct Settings: Sendable {
        package var address = AttemptLimit(failures: 20, window: .seconds(600), penalty: .seconds(600))
        package var session = AttemptLimit(failures: 10, window: .seconds(600), penalty: .seconds(600))
        /// Wrong codes that one server forwards: the mistakes of all its viewers.
        package var relay = AttemptLimit(failures: 2000, window: .seconds(3600), penalty: .seconds(60))
        package var networks = NetworkBudgets()
        package var floor = SourceFloor(guesses: 3, guessesOfKnown: 12, leak: 0.25)
        /// The most addresses remembered, and four times the most codes and successes.
        package var bound = 100_000

        package init() {}

        func part(for nodes: LivingNodes) -> Settings {
            guard nodes.count > 1 else { return self }
            var part = self
            part.address = nodes.part(of: self.address)
            part.session = nodes.part(of: self.session)
            part.relay = nodes.part(of: self.relay)
            part.networks = self.networks.part(for: nodes)
            part.floor = self.floor.part(for: nodes)
            return part
        }
    }

    struct Tier: Sendable {
        var wrong = LeakyCount()
        var pending = 0
        /// A closing is told once an hour.
        var quietUntil: Duration = .zero
    }

    /// A code that was issued to a box of a network.
    private struct IssuedCode: Hashable, Sendable {
        let network: NetworkPrefix
        let mark: Int
    }

    private let whole: Settings
    private let nodes: LivingNodes
    let ledgers: BoundedMemory<NetworkPrefix, SourceLedger>
    let tiers: BoundedMemory<NetworkPrefix, Tier>
    private let sessions: BoundedMemory<[UInt8], AttemptSlots>
    private let relays: BoundedMemory<Guesser.Relay, AttemptSlots>
    /// By a hash under a key of this process.
    private let issued: BoundedMemory<Int, Duration>
    private let trust: TrustMemory
    private let service = Mutex((budget: ServiceBudget(perMinute: 100_000), quietUntil: Duration.zero))
    private let tally = GuessTally()
    /// Seconds since the start after which nothing that was refused or closed is so any more.
    private let quietAfter = Atomic<Int64>(0)
    private let onClosing: @Sendable (GuessClosing) -> Void

    /// - Parameters:
    ///   - settings: for all nodes together.
    ///   - onClosing: is told of every budget that ends, once; called without a lock held.
    package init(
        _ settings: Settings = Settings(), nodes: LivingNodes = LivingNodes(),
        onClosing: @escaping @Sendable (GuessClosing) -> Void
    ) {
        self.whole = settings
        self.nodes = nodes
        self.ledgers = BoundedMemory(bound: settings.bound)
        // Apart from the addresses, so that a flood of those does not make their networks forgotten.
        self.tiers = BoundedMemory(bound: settings.bound)
        self.sessions = BoundedMemory(bound: settings.bound)
        self.relays = BoundedMemory(bound: max(1, settings.bound / 10))
        self.issued = BoundedMemory(bound: settings.bound * 4)
        self.trust = TrustMemory(bound: settings.bound * 4)
        self.onClosing = onClosing
    }

    /// This node's part.
    private var settings: Settings { self.whole.part(for: self.nodes) }

    /// Sizes the service's budget for the codes that are open.
    /// - Parameter openCodes: how many of each length.
    package func resize(openCodes: [Int: Int], at now: Duration) {
        let perMinute = ServiceBudget.perMinute(openCodes: openCodes)
        self.service.withLock { $0.budget.resize(perMinute: perMinute, at: now) }
    }

    /// Remembers that a box in the network of `address` shows `code` until `end`.
    package func noteIssued(_ code: RegistrationCodeText, to address: NetworkAddress, until end: Duration) {
        guard address != .local else { return }
        self.issued.update(IssuedCode(network: address.neighbourhood, mark: code.hashValue).hashValue, initial: end) {
            $0 = max($0, end)
        }
    }

    /// Remembers that `guesser` paired a box with `account` of a provider; trials prove no viewer and do not count.
    package func recordSuccess(of guesser: Guesser, account: String, at now: Duration) {
        self.trust.remember(guesser.trustKeys, account: account, at: now)
    }

    /// Whether `guesser` would be refused now; takes no place, and costs next to nothing while nothing is closed.
    ///
    /// For answers from memory, which come without a wait between the question and the count.
    package func refusal(
        of guesser: Guesser, code: RegistrationCodeText, at now: @autoclosure () -> Duration
    ) -> GuessRefusal? {
        let quietAfter = self.quietAfter.load(ordering: .acquiring)
        guard quietAfter > 0 else { return nil }
        let now = now()
        guard now.components.seconds <= quietAfter else { return nil }
        switch self.admit(guesser, code: code, at: now) {
        // The reservation is given back as it goes out of scope.
        case .lookUp: return nil
        case .knownWrong: return nil
        case .refused(let refusal): return refusal
        }
    }

    /// Takes a place for the look at `code`.
    package func admit(_ guesser: Guesser, code: RegistrationCodeText, at now: Duration) -> GuessAdmission {
        self.admit(guesser, mark: code.hashValue, at: now)
    }

    package func admit(_ guesser: Guesser, setUpCode: SetUpCodeText, at now: Duration) -> GuessAdmission {
        self.admit(guesser, mark: setUpCode.hashValue, at: now)
    }

    /// - Parameter mark: a hash, keyed with a random number of this process: a guesser cannot choose codes that meet.
    private func admit(_ guesser: Guesser, mark: Int, at now: Duration) -> GuessAdmission {
        if guesser.address != .local,
            let end = self.issued[IssuedCode(network: guesser.address.neighbourhood, mark: mark).hashValue], now < end
        {
            return .lookUp(Reservation(at: now))
        }
        let window = self.settings.address.window
        if let known = self.ledgers[guesser.address.prefix(.address)]?.question(mark, at: now, window: window) {
            if known.outcome == .unknown { return .knownWrong }
            return .lookUp(Reservation(at: now))
        }
        do throws(GuessRefusal) {
            let guess = try self.reserve(guesser, mark, at: now)
            return .lookUp(Reservation(at: now) { self.settle(guess, $0, at: $1) })
        } catch {
            self.tally.refused.add(1, ordering: .relaxed)
            self.disturb(until: now + max(error.wait, .seconds(60)))
            return .refused(error)
        }
    }

    /// From 0 to 1: how scarce guesses are everywhere. Above one half new codes of strict requestors are longer.
    package func scarcity(at now: Duration) -> Double { self.service.withLock { $0.budget.scarcity(at: now) } }

    package var counts: GuessCounts { self.tally.counts }

    private func reserve(_ guesser: Guesser, _ mark: Int, at now: Duration) throws(GuessRefusal) -> Guess {
        let isProven =
            guesser.session.map { self.trust.isKnown(.session($0), at: now) } == true
            || guesser.box.map { self.trust.isKnown(.box($0), at: now) } == true
        let isKnown = isProven || self.trust.isKnown(.address(guesser.address), at: now)
        let guess: Guess = (guesser, mark, !isProven)
        var undo: [() -> Void] = []
        do throws(GuessRefusal) {
            try self.take(guesser.session, of: self.sessions, .session, self.settings.session, at: now, &undo)
            try self.take(guesser.relay, of: self.relays, .relay, self.settings.relay, at: now, &undo)
            let scarcity = try self.takeNetworks(guesser.address, isKnown: isKnown, at: now, &undo)
            try self.takeAddress(guess, isKnown: isKnown, scarcity: scarcity, at: now)
        } catch {
            for step in undo.reversed() { step() }
            throw error
        }
        return guess
    }

    /// Takes the place of a session or relay, if the guesser has one.
    private func take<Key: Hashable & Sendable>(
        _ key: Key?, of slots: BoundedMemory<Key, AttemptSlots>, _ scope: GuessScope, _ limit: AttemptLimit,
        at now: Duration, _ undo: inout [() -> Void]
    ) throws(GuessRefusal) {
        guard let key else { return }
        if let wait = slots.update(key, initial: AttemptSlots(), { $0.reserve(at: now, limit) }) {
            throw GuessRefusal(scope: scope, wait: wait)
        }
        undo.append { self.settle(key, of: slots, scope, limit, isWrong: false, at: now) }
    }

    /// - Returns: how scarce guesses are for the address within its networks and the service.
    private func takeNetworks(
        _ address: NetworkAddress, isKnown: Bool, at now: Duration, _ undo: inout [() -> Void]
    ) throws(GuessRefusal) -> Double {
        var scarcity = self.scarcity(at: now)
        for tier in address.tiers {
            guard let budget = self.settings.networks.budget(tier, of: address) else { continue }
            let prefix = address.prefix(tier)
            let allowance = isKnown ? nil : budget.allowance(scarcity)
            let count = self.tiers.update(prefix, initial: Tier()) { entry -> Double in
                let count = entry.wrong.value(at: now, leak: budget.leak) + Double(entry.pending)
                if allowance.map({ count < $0 }) != false { entry.pending += 1 }
                return count
            }
            if let allowance, count >= allowance {
                let isNew = self.tiers.update(prefix, initial: Tier()) { entry in
                    guard now >= entry.quietUntil else { return false }
                    entry.quietUntil = now + .seconds(3600)
                    return true
                }
                if isNew { self.onClosing(GuessClosing(scope: GuessScope(tier), network: prefix)) }
                throw GuessRefusal(scope: GuessScope(tier), wait: Self.wait(count - allowance + 1, leak: budget.leak))
            }
            undo.append { self.settle(prefix, budget, isWrong: false, at: now) }
            scarcity = max(scarcity, budget.scarcity(count))
        }
        return scarcity
    }

    private func takeAddress(_ guess: Guess, isKnown: Bool, scarcity: Double, at now: Duration) throws(GuessRefusal) {
        let limit = self.settings.address
        let floor = self.settings.floor
        let refusal: GuessRefusal? = self.ledgers.update(
            guess.guesser.address.prefix(.address), initial: SourceLedger()
        ) { ledger in
            if guess.takesAddress {
                let count = ledger.wrong.value(at: now, leak: floor.leak) + Double(ledger.slots.pending)
                if let allowance = floor.allowance(scarcity, isKnown: isKnown), count >= allowance {
                    return GuessRefusal(scope: .service, wait: Self.wait(count - allowance + 1, leak: floor.leak))
                }
                if let wait = ledger.slots.reserve(at: now, limit) { return GuessRefusal(scope: .address, wait: wait) }
            }
            ledger.note(guess.mark, at: now)
            return nil
        }
        guard let refusal else { return }
        let isNew =
            refusal.scope == .service
            && self.service.withLock { service in
                guard now >= service.quietUntil else { return false }
                service.quietUntil = now + .seconds(60)
                return true
            }
        if isNew { self.tell(.service, guess.guesser.address, until: now + .seconds(60)) }
        throw refusal
    }

    /// - Parameter outcome: `nil` when the code was not looked up.
    private func settle(_ guess: Guess, _ outcome: GuessOutcome?, at now: Duration) {
        let isWrong = outcome?.isWrong ?? false
        if isWrong { self.tally.wrong.add(1, ordering: .relaxed) }
        let (guesser, settings) = (guess.guesser, self.settings)
        let (address, limit, leak) = (guesser.address, settings.address, settings.floor.leak)
        let closes = self.ledgers.update(address.prefix(.address), initial: SourceLedger()) { ledger in
            ledger.settle(guess.mark, outcome)
            if isWrong { ledger.wrong.add(1, at: now, leak: leak, most: SourceLedger.most) }
            guard guess.takesAddress else { return false }
            return ledger.slots.settle(isWrong: isWrong, at: now, limit)
        }
        if closes { self.tell(.address, address, until: now + limit.penalty) }
        self.settle(guesser.session, of: self.sessions, .session, settings.session, isWrong: isWrong, at: now, guess)
        self.settle(guesser.relay, of: self.relays, .relay, settings.relay, isWrong: isWrong, at: now, guess)
        // One here stands for one at each node.
        if isWrong { self.service.withLock { $0.budget.spend(self.nodes.count, at: now) } }
        for tier in address.tiers {
            guard let budget = settings.networks.budget(tier, of: address) else { continue }
            self.settle(address.prefix(tier), budget, isWrong: isWrong, at: now)
        }
    }

    private func settle<Key: Hashable & Sendable>(
        _ key: Key?, of slots: BoundedMemory<Key, AttemptSlots>, _ scope: GuessScope, _ limit: AttemptLimit,
        isWrong: Bool, at now: Duration, _ guess: Guess? = nil
    ) {
        guard let key else { return }
        let closes = slots.update(key, initial: AttemptSlots(), isIdle: \.isIdle) {
            $0.settle(isWrong: isWrong, at: now, limit)
        }
        if closes, let guess { self.tell(scope, guess.guesser.address, until: now + limit.penalty) }
    }

    private func settle(_ prefix: NetworkPrefix, _ budget: TierBudget, isWrong: Bool, at now: Duration) {
        // The most a network's count rises to, so that it comes back within hours.
        let most = max(budget.crowded, budget.closing ?? 0) * 2
        self.tiers.update(prefix, initial: Tier()) { entry in
            entry.pending = max(0, entry.pending - 1)
            if isWrong { entry.wrong.add(1, at: now, leak: budget.leak, most: most) }
        }
    }

    private func tell(_ scope: GuessScope, _ address: NetworkAddress, until end: Duration) {
        self.disturb(until: end)
        self.onClosing(GuessClosing(scope: scope, network: address.neighbourhood))
    }

    private func disturb(until end: Duration) {
        self.quietAfter.max(end.components.seconds + 1, ordering: .releasing)
    }

    /// How long until `excess` guesses are forgotten, within reason.
    private static func wait(_ excess: Double, leak: Double) -> Duration {
        .seconds(Int64(min(600, max(1, (excess / leak * 3600).rounded(.up)))))
    }
}
