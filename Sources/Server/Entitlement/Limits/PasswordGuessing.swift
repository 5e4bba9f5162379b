package import Clientless
import Synchronization

/// The sender of a password, and the account that it is tried at.
package struct PasswordGuesser: Sendable {
    package var address: NetworkAddress
    /// The keyed hash of the browser session.
    package var session: [UInt8]?
    /// Whether the login began more than a minute ago.
    package var isSettledBrowser: Bool
    package var provider: MVPDID
    /// The account's name in one spelling.
    package var account: String
    /// The hash of the login attempt's token.
    package var attempt: [UInt8]
    package var code: RegistrationCodeText
    /// By ``ServerKeys/loginName(_:of:)``; `nil` for a passkey.
    package var viewer: String?
    /// The box that the login is for; `nil` if it is for the page of boxes.
    package var box: BoxHandle?

    /// The provider cannot hold a NUL, so no two accounts share a key.
    var accountKey: String { "\(self.provider.text)\0\(self.account)" }
}

/// Slows down guessers of passwords, and locks out no owner of an account for it.
///
/// An account is closed for the network that guessed, never as a whole: for networks that have not signed in to it within
/// thirty days it becomes slow, and each of them keeps three tries. A browser or network that signed in is known for
/// that account alone. One login takes ten wrong passwords, one code thirty, one address thirty in ten minutes. The
/// service checks so many a minute for logins that began just now; others go on.
///
/// Its memory is bounded, in this process; of several nodes each allows its part (``LivingNodes``). All times are
/// durations since the start of a monotonic clock.
package final class PasswordGuessing: Sendable {
    package struct Settings: Sendable {
        /// Wrong passwords of one account from one network.
        package var account = AttemptLimit(failures: 10, window: .seconds(600), penalty: .seconds(300))
        /// Wrong passwords from one address, whatever the account.
        package var address = AttemptLimit(failures: 30, window: .seconds(600), penalty: .seconds(300))
        package var session = AttemptLimit(failures: 10, window: .seconds(600), penalty: .seconds(300))
        /// Wrong passwords of one login, and of one code; longer than either lives.
        package var attempt = AttemptLimit(failures: 10, window: .seconds(86_400), penalty: .seconds(86_400))
        package var code = AttemptLimit(failures: 30, window: .seconds(86_400), penalty: .seconds(86_400))
        /// Wrong passwords of an account from anywhere after which unknown networks are held to their floor.
        package var crowdedAccount = 20.0
        /// Wrong passwords of an account from anywhere after which unknown networks take turns.
        package var slowAccount = 100.0
        /// How far apart those turns are.
        package var turn: Duration = .seconds(10)
        /// Wrong passwords that an unknown network always has, and how many it is given back an hour.
        package var floor = SourceFloor(guesses: 3, guessesOfKnown: 3, leak: 1)
        /// Checks a minute for logins that began just now in browsers that are not known.
        package var perMinute: Double
        package var bound = 100_000

        /// - Parameter cores: of the machine; each checks about so many in a minute beside its other work.
        package init(cores: Int) { self.perMinute = 60 * Double(max(1, cores)) }

        /// How many passwords are checked a minute is for the cores of one machine, and stays each node's own.
        func part(for nodes: LivingNodes) -> Settings {
            guard nodes.count > 1 else { return self }
            var part = self
            for limit in [\Self.account, \.address, \.session, \.attempt, \.code] {
                part[keyPath: limit] = nodes.part(of: self[keyPath: limit])
            }
            part.crowdedAccount = nodes.part(ofMany: self.crowdedAccount)
            part.slowAccount = nodes.part(ofMany: self.slowAccount)
            part.floor = self.floor.part(for: nodes)
            return part
        }
    }

    struct Source: Hashable, Sendable {
        let scope: GuessScope
        var name: [UInt8] = []
        var network: NetworkPrefix?
    }

    /// The takings beside the places of its sources: one of the service's checks of this minute, and one of the tries that
    /// a network has with an account under attack.
    private typealias Spending = (service: Bool, floor: Bool)

    private let whole: Settings
    private let nodes: LivingNodes
    let slots: BoundedMemory<Source, AttemptSlots>
    private let accounts: BoundedMemory<String, (wrong: LeakyCount, nextTurn: Duration)>
    private let pairs: BoundedMemory<Source, LeakyCount>
    private let trust: TrustMemory
    /// A closing is told once a minute.
    private let service = Mutex((spent: LeakyCount(), quietUntil: Duration.zero))
    private let tally = GuessTally()
    private let onClosing: @Sendable (GuessClosing) -> Void

    /// - Parameters:
    ///   - settings: for all nodes together.
    ///   - onClosing: is told of every budget that ends, once; called without a lock held.
    package init(
        _ settings: Settings, nodes: LivingNodes = LivingNodes(),
        onClosing: @escaping @Sendable (GuessClosing) -> Void
    ) {
        self.whole = settings
        self.nodes = nodes
        self.slots = BoundedMemory(bound: settings.bound)
        self.accounts = BoundedMemory(bound: settings.bound)
        self.pairs = BoundedMemory(bound: settings.bound)
        self.trust = TrustMemory(bound: settings.bound * 4)
        self.onClosing = onClosing
    }

    /// This node's part.
    private var settings: Settings { self.whole.part(for: self.nodes) }
    package var counts: GuessCounts { self.tally.counts }

    /// Takes a place for the check of a password, whose outcome is whether it is right.
    package func admit(_ guesser: PasswordGuesser, at now: Duration) throws(GuessRefusal) -> Reservation<Bool> {
        let (account, network) = (guesser.accountKey, guesser.address.neighbourhood)
        let isKnownBrowser = guesser.session.map { self.trust.isKnown(.accountSession(account, $0), at: now) } == true
        let isKnown = isKnownBrowser || self.trust.isKnown(.account(account, network), at: now)
        let sources = self.sources(guesser, isKnownBrowser: isKnownBrowser)
        // The service's limit is for logins that began just now; the others' checks are bounded by their own limits.
        let isPreferred = isKnown || guesser.isSettledBrowser
        var taken: [(Source, AttemptLimit)] = []
        var spends: Spending = (service: false, floor: false)
        do throws(GuessRefusal) {
            for (source, limit) in sources {
                if let wait = self.slots.update(source, initial: AttemptSlots(), { $0.reserve(at: now, limit) }) {
                    throw GuessRefusal(scope: source.scope, wait: wait)
                }
                taken.append((source, limit))
            }
            if !isPreferred {
                try self.takeService(guesser, at: now)
                spends.service = true
            }
            if !isKnown { spends.floor = try self.admitUnknown(guesser, at: now) }
        } catch {
            self.settle(guesser, taken, spends, isRight: nil, at: now)
            self.tally.refused.add(1, ordering: .relaxed)
            throw error
        }
        let spent = spends
        return Reservation(at: now) { self.settle(guesser, sources, spent, isRight: $0, at: $1) }
    }

    private func giveBack(_ spent: Spending, _ guesser: PasswordGuesser, at now: Duration) {
        let leak = self.settings.floor.leak
        if spent.floor {
            self.pairs.update(Self.pair(guesser), initial: LeakyCount()) {
                $0.add(-1, at: now, leak: leak, most: SourceLedger.most)
            }
        }
        guard spent.service else { return }
        let most = self.settings.perMinute
        self.service.withLock { $0.spent.add(-1, at: now, leak: most * 60, most: most * 2) }
    }

    private func sources(_ guesser: PasswordGuesser, isKnownBrowser: Bool) -> [(Source, AttemptLimit)] {
        var sources: [(Source, AttemptLimit)] = [
            (Source(scope: .attempt, name: guesser.attempt), self.settings.attempt),
            (Source(scope: .code, name: Array(guesser.code.text.utf8)), self.settings.code),
            (Source(scope: .address, network: guesser.address.prefix(.address)), self.settings.address),
        ]
        if let name = guesser.session { sources.append((Source(scope: .session, name: name), self.settings.session)) }
        if !isKnownBrowser { sources.append((Self.pair(guesser), self.settings.account)) }
        return sources
    }

    /// Takes a try that an account allows a network without a recent success.
    /// - Returns: whether a try of the network's floor was taken.
    private func admitUnknown(_ guesser: PasswordGuesser, at now: Duration) throws(GuessRefusal) -> Bool {
        let settings = self.settings
        let count = self.accounts[guesser.accountKey]?.wrong.value(at: now, leak: settings.crowdedAccount) ?? 0
        guard count >= settings.crowdedAccount else { return false }
        let isTaken = self.pairs.update(Self.pair(guesser), initial: LeakyCount()) { own in
            guard own.value(at: now, leak: settings.floor.leak) < settings.floor.guesses else { return false }
            own.add(1, at: now, leak: settings.floor.leak, most: SourceLedger.most)
            return true
        }
        guard isTaken else { throw GuessRefusal(scope: .account, wait: .seconds(300)) }
        guard count >= settings.slowAccount else { return true }
        let wait = self.accounts.update(guesser.accountKey, initial: (LeakyCount(), .zero)) { account -> Duration? in
            guard now >= account.nextTurn else { return account.nextTurn - now }
            account.nextTurn = now + settings.turn
            return nil
        }
        guard let wait else { return true }
        self.giveBack((service: false, floor: true), guesser, at: now)
        throw GuessRefusal(scope: .account, wait: wait)
    }

    private func takeService(_ guesser: PasswordGuesser, at now: Duration) throws(GuessRefusal) {
        let most = self.settings.perMinute
        let (isTaken, isNews) = self.service.withLock { service in
            guard service.spent.value(at: now, leak: most * 60) >= most else {
                service.spent.add(1, at: now, leak: most * 60, most: most * 2)
                return (true, false)
            }
            guard now >= service.quietUntil else { return (false, false) }
            service.quietUntil = now + .seconds(60)
            return (false, true)
        }
        if isNews { self.onClosing(GuessClosing(scope: .service, network: guesser.address.neighbourhood)) }
        if !isTaken { throw GuessRefusal(scope: .service, wait: .seconds(5)) }
    }

    /// - Parameter isRight: `nil` when the password was not checked.
    private func settle(
        _ guesser: PasswordGuesser, _ sources: [(Source, AttemptLimit)], _ spent: Spending, isRight: Bool?,
        at now: Duration
    ) {
        let isWrong = isRight == false
        for (source, limit) in sources {
            let closes = self.slots.update(source, initial: AttemptSlots(), isIdle: \.isIdle) {
                $0.settle(isWrong: isWrong, at: now, limit)
            }
            guard closes else { continue }
            self.onClosing(
                GuessClosing(
                    scope: source.scope, network: guesser.address.neighbourhood, viewer: guesser.viewer,
                    box: guesser.box))
        }
        if isWrong {
            self.tally.wrong.add(1, ordering: .relaxed)
            self.accounts.update(guesser.accountKey, initial: (LeakyCount(), .zero)) {
                $0.wrong.add(1, at: now, leak: self.settings.crowdedAccount, most: self.settings.slowAccount * 2)
            }
            if !spent.floor {
                self.pairs.update(Self.pair(guesser), initial: LeakyCount()) {
                    $0.add(1, at: now, leak: self.settings.floor.leak, most: SourceLedger.most)
                }
            }
        } else {
            self.giveBack(spent, guesser, at: now)
        }
        guard isRight == true else { return }
        let account = guesser.accountKey
        // It proves no more than this account.
        let keys: [TrustMemory.Key?] = [
            .account(account, guesser.address.neighbourhood), guesser.session.map { .accountSession(account, $0) },
        ]
        self.trust.remember(keys.compactMap { $0 }, account: account, at: now)
    }

    private static func pair(_ guesser: PasswordGuesser) -> Source {
        Source(scope: .account, name: Array(guesser.accountKey.utf8), network: guesser.address.neighbourhood)
    }
}
