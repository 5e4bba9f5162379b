import Clientless
import Cryptography
import Entitlement
import Synchronization
import TestSupport
import Testing

/// Where the nodes of a test leave their sheets; it can be out of reach.
final class SheetBoard: SheetStore {
    private let posted = Mutex<[NodeSheet]>([])
    private let isAway = Mutex(false)

    let isShared = true
    var sheets: [NodeSheet] { self.posted.withLock { $0 } }

    /// What its clock shows; `nil` for what the nodes' clocks show.
    private let time = Mutex<Timestamp?>(nil)

    func setTime(_ time: Timestamp) { self.time.withLock { $0 = time } }

    func clock() async throws(StoreError) -> Timestamp? {
        _ = try self.look()
        return self.time.withLock { $0 }
    }

    func setAway(_ isAway: Bool) { self.isAway.withLock { $0 = isAway } }

    func replace(_ sheets: [NodeSheet]) { self.posted.withLock { $0 = sheets } }

    private func look() throws(StoreError) -> [NodeSheet] {
        if self.isAway.withLock({ $0 }) { throw StoreError(.unavailable, detail: "away") }
        return self.sheets
    }

    func post(_ sheet: NodeSheet) async throws(StoreError) {
        _ = try self.look()
        self.posted.withLock { $0.append(sheet) }
    }

    func newestSheets() async throws(StoreError) -> [String: Int64] {
        Dictionary(try self.look().map { ($0.node, $0.number) }) { max($0, $1) }
    }

    func sheets(of node: String, after number: Int64) async throws(StoreError) -> [NodeSheet] {
        try self.look().filter { $0.node == node && $0.number > number }
    }
}

/// What one node of a test counts.
struct LimitNode {
    let codes: Guessing
    let passwords: PasswordGuessing
    let issuance: IssuanceLimiter
    let exchange: LimitExchange
    private let random = SeededCodes()

    init(_ board: SheetBoard, keys: ServerKeys, guessing: Guessing.Settings = Guessing.Settings()) {
        self.codes = Guessing(guessing, isShared: true) { _ in }
        self.passwords = PasswordGuessing(PasswordGuessing.Settings(cores: 1000), isShared: true) { _ in }
        self.issuance = IssuanceLimiter(isShared: true)
        self.exchange = LimitExchange(store: board, keys: keys)
        self.exchange.share(self.codes, as: "codes")
        self.exchange.share(self.passwords, as: "passwords")
        self.exchange.share(self.issuance, as: "issuance")
    }

    /// Guesses new codes, all wrong.
    /// - Returns: how many were looked up.
    @discardableResult
    func guess(_ count: Int, as guesser: Guesser, at now: Duration) -> Int {
        (0..<count).reduce(0) { sum, _ in
            guard case .lookUp(let place) = self.codes.admit(guesser, code: self.random.next(), at: now) else {
                return sum
            }
            place.settle(.unknown, at: now)
            return sum + 1
        }
    }

    /// Tries passwords, each in a login of its own.
    /// - Returns: how many were checked.
    @discardableResult
    func tryPasswords(_ count: Int, from address: UInt32, isRight: Bool = false, at now: Duration) -> Int {
        (0..<count).reduce(0) { sum, _ in
            let code = self.random.next()
            let guesser = PasswordGuesser(
                .v4(address), session: nil, isSettledBrowser: false, provider: MVPDID(unchecked: "TV"),
                account: "owner", attempt: Array(code.text.utf8), code: code)
            guard let place = try? self.passwords.admit(guesser, at: now) else { return sum }
            place.settle(isRight: isRight, at: now)
            return sum + 1
        }
    }
}

private final class SeededCodes: Sendable {
    private let random = Mutex(SeededGenerator(seed: 1))
    func next() -> RegistrationCodeText { self.random.withLock { RegistrationCodeText.random(using: &$0) } }
}

/// Two of them, and their seconds.
enum LimitNodes {
    static let now = PairingFixture.start
    static let uptime = Duration.seconds(1000)
    /// A code that nobody asked for.
    static let unseen = RegistrationCodeText("BBBBBBB")!
    static let stranger = Guesser(.v4(0xC000_0201), session: [1])

    /// Two nodes that have looked once; the clock of the other shows another uptime.
    static func make() async throws -> (one: LimitNode, other: LimitNode, board: SheetBoard) {
        let board = SheetBoard()
        let keys = try ServerKeys(masterSecret: PairingFixture.masterSecret)
        let nodes = (LimitNode(board, keys: keys), LimitNode(board, keys: keys))
        try await self.exchange(nodes.0, nodes.1)
        return (nodes.0, nodes.1, board)
    }

    @discardableResult
    static func exchange(_ nodes: LimitNode...) async throws -> Int {
        var heard = 0
        for node in nodes + nodes {
            heard += try await node.exchange.exchange(now: Self.now, uptime: Self.uptime).heard
        }
        return heard
    }

    /// One second of each.
    @discardableResult
    static func exchangeOnce(_ one: LimitNode, _ other: LimitNode) async throws -> Int {
        _ = try await one.exchange.exchange(now: Self.now, uptime: Self.uptime)
        return try await other.exchange.exchange(now: Self.now, uptime: Self.uptime).heard
    }
}
