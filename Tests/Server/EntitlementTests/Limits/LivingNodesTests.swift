import Clientless
import Synchronization
import TestSupport
import Testing

@testable import Entitlement

/// The limits of one of several nodes.
private final class Node: Sendable {
    let nodes = LivingNodes()
    let codes: Guessing
    let passwords: PasswordGuessing
    let issuance: IssuanceLimiter
    private let random = Mutex(SeededGenerator(seed: 1))

    init(among count: Int) {
        self.nodes.note(count)
        self.codes = Guessing(nodes: self.nodes) { _ in }
        self.passwords = PasswordGuessing(PasswordGuessing.Settings(cores: 1000), nodes: self.nodes) { _ in }
        self.issuance = IssuanceLimiter(nodes: self.nodes)
    }

    private func code() -> RegistrationCodeText { self.random.withLock { RegistrationCodeText.random(using: &$0) } }

    /// Guesses new codes, all wrong.
    /// - Returns: how many were looked up.
    @discardableResult
    func guess(_ count: Int, as guesser: Guesser, at now: Duration = LivingNodesTests.start) -> Int {
        (0..<count).count { _ in
            guard case .lookUp(let place) = self.codes.admit(guesser, code: self.code(), at: now) else { return false }
            place.settle(.unknown, at: now)
            return true
        }
    }

    /// Tries wrong passwords of one account.
    /// - Parameter login: `nil` for a new one each time.
    /// - Returns: how many were checked.
    func tryPasswords(_ count: Int, from address: UInt32, login: RegistrationCodeText? = nil) -> Int {
        (0..<count).count { _ in
            let code = login ?? self.code()
            let guesser = PasswordGuesser(
                address: .v4(address), session: nil, isSettledBrowser: false, provider: MVPDID(unchecked: "TV"),
                account: "owner", attempt: Array(code.text.utf8), code: code)
            guard let place = try? self.passwords.admit(guesser, at: LivingNodesTests.start) else { return false }
            place.settle(false, at: LivingNodesTests.start)
            return true
        }
    }
}

@Suite("Limits of one of several nodes")
struct LivingNodesTests {
    static let start = Duration.seconds(1000)
    private static let stranger = Guesser(.v4(0xC000_0201))

    @Test(
        "allow an address its part of twenty wrong codes, and five at least",
        arguments: [(1, 20), (2, 10), (3, 6), (4, 5), (16, 5), (0, 20)])
    func codes(nodes: Int, expected: Int) {
        let node = Node(among: nodes)
        #expect(node.guess(30, as: Self.stranger) == expected)
        // A neighbour in the same /24 has all its tries after that.
        #expect(node.guess(30, as: Guesser(.v4(0xC000_0202))) == expected)
    }

    @Test("become smaller with a node that comes, for those that guessed before as well, and larger when it goes")
    func change() {
        let node = Node(among: 1)
        #expect(node.guess(12, as: Self.stranger) == 12)
        node.nodes.note(2)
        let code = RegistrationCodeText("BBBBBBB")!
        let later = Self.start + .seconds(100)
        #expect(node.guess(1, as: Self.stranger, at: later) == 0)
        let refusal = node.codes.refusal(of: Self.stranger, code: code, at: later)
        #expect(refusal?.scope == .address)
        // As long as the ten minutes of its guesses go on.
        #expect(refusal?.wait == .seconds(500))
        node.nodes.note(1)
        #expect(node.guess(30, as: Self.stranger, at: later) == 8)
    }

    @Test func `allow networks and sessions their parts`() {
        var browser = Self.stranger
        browser.session = [1]
        #expect(Node(among: 2).guess(30, as: browser) == 5)
        func guessed(inOneNetworkAmong nodes: Int) -> Int {
            let node = Node(among: nodes)
            return (0..<64 as Range<UInt64>).reduce(0) {
                $0 + node.guess(1, as: Guesser(.v6(high: 0x2001_0DB8_0000_0100 | $1)))
            }
        }
        #expect(guessed(inOneNetworkAmong: 1) == 42)
        #expect(guessed(inOneNetworkAmong: 2) == 21)
        #expect(guessed(inOneNetworkAmong: 4) == guessed(inOneNetworkAmong: 16))
    }

    @Test func `spend the service's budget as fast as guesses at all nodes do`() {
        func scarcity(among nodes: Int, strangers: Range<UInt32>) -> Double {
            let node = Node(among: nodes)
            node.codes.resize(openCodes: [7: 100_000], at: Self.start)
            for stranger in strangers { node.guess(1, as: Guesser(.v4(stranger << 16 | 1))) }
            return node.codes.scarcity(at: Self.start)
        }
        let alone = scarcity(among: 1, strangers: 0..<500)
        #expect(alone > 0.4)
        #expect(scarcity(among: 2, strangers: 0..<250) == alone)
    }

    @Test("check their parts of an account's and a login's passwords")
    func passwords() {
        #expect(Node(among: 1).tryPasswords(20, from: 0xC000_0201) == 10)
        #expect(Node(among: 2).tryPasswords(20, from: 0xC000_0201) == 5)
        #expect(Node(among: 2).tryPasswords(20, from: 0xC000_0201, login: RegistrationCodeText("BBBBBBB")!) == 5)
        #expect(Node(among: 16).tryPasswords(20, from: 0xC000_0201) == 5)
    }

    @Test("issue an address its part of the codes")
    func issuance() {
        func issued(among nodes: Int, hours: Int64) -> Int {
            let node = Node(among: nodes)
            return [Self.start, Self.start + .seconds(3600 * hours)].reduce(0) { sum, now in
                sum + (0..<2000).count { _ in node.issuance.admit(Self.stranger, credential: nil, at: now) == nil }
            }
        }
        #expect(issued(among: 1, hours: 1) == 240)
        #expect(issued(among: 3, hours: 1) == 80)
    }
}
