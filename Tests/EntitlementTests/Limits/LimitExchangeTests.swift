import Clientless
import Cryptography
import Entitlement
import Synchronization
import TestSupport
import Testing

@Suite("Limits of several nodes")
struct LimitExchangeTests {
    private typealias Nodes = LimitNodes
    private static let (now, uptime, unseen, stranger) = (Nodes.now, Nodes.uptime, Nodes.unseen, Nodes.stranger)

    @Test("close an address at all of them once its guesses at all are too many")
    func address() async throws {
        let (one, other, _) = try await Nodes.make()
        var guesser = Self.stranger
        guesser.session = nil
        #expect(one.guess(10, as: guesser, at: Self.uptime) == 10)
        #expect(other.guess(9, as: guesser, at: Self.uptime) == 9)
        #expect(try await Nodes.exchange(one, other) == 2)
        // One more is the twentieth.
        #expect(one.guess(5, as: guesser, at: Self.uptime) == 1)
        try await Nodes.exchange(one, other)
        #expect(other.guess(5, as: guesser, at: Self.uptime) == 0)
        #expect(other.codes.refusal(of: guesser, code: Self.unseen, at: Self.uptime)?.scope == .address)
        // Other addresses guess on, and this one after the penalty.
        #expect(other.guess(1, as: Guesser(.v4(0xC000_0301)), at: Self.uptime) == 1)
        #expect(other.guess(1, as: guesser, at: Self.uptime + .seconds(601)) == 1)
    }

    @Test("are shared under a name by the last one alone, and by none once that is taken away")
    func replaced() async throws {
        let (one, other, _) = try await Nodes.make()
        let later = Guessing(isShared: true) { _ in }
        other.exchange.share(later, as: "codes")
        let guesser = Guesser(Self.stranger.address)
        #expect(one.guess(20, as: guesser, at: Self.uptime) == 20)
        try await Nodes.exchange(one, other)
        #expect(later.refusal(of: guesser, code: Self.unseen, at: Self.uptime) != nil)
        #expect(other.codes.refusal(of: guesser, code: Self.unseen, at: Self.uptime) == nil)

        other.exchange.share(Guessing?.none, as: "codes")
        let elsewhere = Guesser(.v4(0xC633_6401))
        #expect(one.guess(20, as: elsewhere, at: Self.uptime) == 20)
        try await Nodes.exchange(one, other)
        #expect(later.refusal(of: elsewhere, code: Self.unseen, at: Self.uptime) == nil)
    }

    @Test("close a session and a network wherever its guesses went")
    func sessionAndNetwork() async throws {
        let (one, other, _) = try await Nodes.make()
        one.guess(5, as: Self.stranger, at: Self.uptime)
        other.guess(5, as: Self.stranger, at: Self.uptime)
        try await Nodes.exchange(one, other)
        var moved = Self.stranger
        moved.address = .v4(0xC633_6401)
        #expect(one.guess(1, as: moved, at: Self.uptime) == 0)
        #expect(other.guess(1, as: moved, at: Self.uptime) == 0)
        // A /56 takes sixty.
        for node in [one, other] {
            for host in 0..<30 as Range<UInt64> {
                node.guess(1, as: Guesser(.v6(high: 0x2001_0DB8_0000_0100 | host)), at: Self.uptime)
            }
        }
        try await Nodes.exchange(one, other)
        for node in [one, other] {
            #expect(node.guess(1, as: Guesser(.v6(high: 0x2001_0DB8_0000_01FF)), at: Self.uptime) == 0)
        }
    }

    @Test("spend the service's budget together")
    func service() async throws {
        let (one, other, _) = try await Nodes.make()
        for node in [one, other] { node.codes.resize(openCodes: [7: 100_000], at: Self.uptime) }
        for stranger in 0..<1000 as Range<UInt32> {
            one.guess(3, as: Guesser(.v4(stranger << 16 | 1)), at: Self.uptime)
        }
        let scarcity = one.codes.scarcity(at: Self.uptime)
        #expect(scarcity > 0)
        #expect(other.codes.scarcity(at: Self.uptime) == 0)
        // More sources than a sheet holds; those beyond count for the service.
        try await Nodes.exchange(one, other)
        #expect(other.codes.scarcity(at: Self.uptime) == scarcity)
    }

    @Test("know a viewer who paired at one, and the code of one's own box, at all")
    func known() async throws {
        let (one, other, _) = try await Nodes.make()
        let home = Guesser(.v4(0xC000_0205), session: [7])
        let code = try #require(RegistrationCodeText("WWWWWWW"))
        one.codes.noteIssued(code, to: home.address, until: Self.uptime + .seconds(60))
        one.codes.recordSuccess(of: home, account: "viewer", at: Self.uptime)
        try await Nodes.exchange(one, other)
        var neighbour = Self.stranger
        neighbour.session = nil
        other.guess(30, as: neighbour, at: Self.uptime)
        guard case .refused = other.codes.admit(neighbour, code: Self.unseen, at: Self.uptime)
        else { return #expect(Bool(false), "the neighbour is not closed") }
        guard case .lookUp(let own) = other.codes.admit(neighbour, code: code, at: Self.uptime) else {
            return #expect(Bool(false), "the code of one's own box is refused")
        }
        own.settle(.right, at: Self.uptime)
        // After its life it is a code like any other.
        guard case .refused = other.codes.admit(neighbour, code: code, at: Self.uptime + .seconds(61)) else {
            return #expect(Bool(false), "the code lives on")
        }
        // The browser that paired passes though its address is closed.
        other.guess(30, as: Guesser(home.address), at: Self.uptime)
        #expect(other.guess(1, as: Guesser(home.address), at: Self.uptime) == 0)
        #expect(other.guess(1, as: home, at: Self.uptime) == 1)
    }

    @Test("close an account for a network that tried passwords at all of them, not for its owner")
    func passwords() async throws {
        let (one, other, _) = try await Nodes.make()
        #expect(other.tryPasswords(1, from: 0x0A00_0001, isRight: true, at: Self.uptime) == 1)
        #expect(one.tryPasswords(5, from: 0xC000_0201, at: Self.uptime) == 5)
        #expect(other.tryPasswords(5, from: 0xC000_0202, at: Self.uptime) == 5)
        try await Nodes.exchange(one, other)
        for node in [one, other] {
            #expect(node.tryPasswords(1, from: 0xC000_0203, at: Self.uptime) == 0)
            #expect(node.tryPasswords(1, from: 0x0A00_0001, isRight: true, at: Self.uptime) == 1)
        }
        // An account under attack from everywhere: unknown networks have a floor, wherever they try.
        for network in 0..<15 as Range<UInt32> {
            one.tryPasswords(2, from: 0x0B00_0001 | network << 8, at: Self.uptime)
        }
        other.tryPasswords(2, from: 0x0C00_0001, at: Self.uptime)
        try await Nodes.exchange(one, other)
        #expect(one.tryPasswords(9, from: 0x0C00_0001, at: Self.uptime) == 1)
    }

    @Test("issue to an address what one node would")
    func issuance() async throws {
        let (one, other, _) = try await Nodes.make()
        let caller = Guesser(.v4(0xC000_0201))
        for _ in 0..<60 { #expect(one.issuance.admit(caller, credential: nil, at: Self.uptime) == nil) }
        for _ in 0..<10 { one.issuance.takeBack(caller, credential: nil, at: Self.uptime) }
        try await Nodes.exchange(one, other)
        let issued = (0..<200).count { _ in other.issuance.admit(caller, credential: nil, at: Self.uptime) == nil }
        #expect(issued == 70)
    }

    @Test("issue to an address that stays at its limit at all of them what one node would, and a burst of each")
    func staying() async throws {
        let (one, other, _) = try await Nodes.make()
        let caller = Guesser(.v4(0xC000_0201))
        var issued = 0
        for second in 0..<1200 {
            let uptime = Self.uptime + .seconds(second)
            for node in [one, other] {
                while node.issuance.admit(caller, credential: nil, at: uptime) == nil { issued += 1 }
            }
            for node in [one, other] {
                _ = try await node.exchange.exchange(now: Self.now + .seconds(second), uptime: uptime)
            }
        }
        // 720 an hour are 240 in this time.
        #expect(issued > 360)
        #expect(issued <= 2 * 120 + 240)
    }

    @Test("count by themselves while the store is away, and tell it later, once")
    func away() async throws {
        let (one, other, board) = try await Nodes.make()
        var guesser = Self.stranger
        guesser.session = nil
        one.guess(10, as: guesser, at: Self.uptime)
        board.setAway(true)
        for _ in 0..<3 {
            await #expect(throws: StoreError.self) { try await Nodes.exchange(one) }
        }
        #expect(other.guess(9, as: guesser, at: Self.uptime) == 9)
        board.setAway(false)
        #expect(try await Nodes.exchange(one, other) == 2)
        #expect(try await Nodes.exchange(one, other) == 0)
        #expect(other.guess(5, as: guesser, at: Self.uptime) == 1)
    }

    @Test("tell nothing that can be read in the store, take nothing that another wrote, and nothing twice")
    func sealed() async throws {
        let (one, other, board) = try await Nodes.make()
        one.guess(1, as: Self.stranger, at: Self.uptime)
        try await Nodes.exchange(one)
        let sheet = try #require(board.sheets.first)
        #expect(!String(decoding: sheet.content, as: UTF8.self).contains("guesser"))
        board.replace(
            (1...15).map { NodeSheet(node: sheet.node, number: $0, ends: sheet.ends, content: sheet.content) })
        let outcome = try await other.exchange.exchange(now: Self.now, uptime: Self.uptime)
        #expect(outcome.heard == 0 && outcome.unreadable == 15)
        let stranger = LimitNode(board, keys: try ServerKeys(masterSecret: Secret(Array(repeating: 9, count: 32))))
        _ = try await stranger.exchange.exchange(now: Self.now, uptime: Self.uptime)
        board.replace([sheet])
        #expect(try await stranger.exchange.exchange(now: Self.now, uptime: Self.uptime).heard == 0)
    }

    @Test("a node that begins counts nothing of what was told before")
    func beginning() async throws {
        let (one, _, board) = try await Nodes.make()
        one.guess(10, as: Self.stranger, at: Self.uptime)
        try await Nodes.exchange(one)
        let late = LimitNode(board, keys: try ServerKeys(masterSecret: PairingFixture.masterSecret))
        #expect(try await late.exchange.exchange(now: Self.now, uptime: Self.uptime).heard == 0)
        one.guess(1, as: Guesser(.v4(1)), at: Self.uptime)
        #expect(try await Nodes.exchange(one, late) == 1)
    }
}
