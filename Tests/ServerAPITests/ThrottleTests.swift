import Clientless
import Entitlement
import FoundationEssentials
import HTTPServer
import Testing

@testable import ServerAPI

@Suite("The throttle")
struct ThrottleTests {
    static let device = ThrottleLimit(interval: 1000, tolerance: 10_000)
    static let start: Int64 = 1_767_225_600_000
    static let household = IPAddress("192.0.2.1")!

    static func moment(_ offset: Int64) -> Timestamp { Timestamp(milliseconds: self.start + offset) }

    @Test("admits and rejects exactly as the published trace does")
    func trace() {
        let trace: [(Int64, Bool)] = [
            (0, true), (300, true), (600, true), (900, true), (1200, true), (1300, true), (1400, true), (1500, true),
            (1600, true), (1700, true), (1800, true), (2100, true), (2200, true), (2400, false), (2600, false),
            (2800, false), (3100, true),
        ]
        var rate = CellRate(now: Self.start)
        for (time, isAdmitted) in trace {
            let missing = rate.admit(at: Self.start + time, Self.device)
            #expect((missing == nil) == isAdmitted, "at \(time) ms")
        }
    }

    @Test("refills its burst: after a minute of silence five quick calls pass")
    func refill() {
        var rate = CellRate(now: Self.start)
        for _ in 0..<20 { _ = rate.admit(at: Self.start, Self.device) }
        for call in 0..<5 {
            #expect(rate.admit(at: Self.start + 60_000 + Int64(call) * 100, Self.device) == nil)
        }
    }

    @Test("lets a burst of eleven pass, and says how long the twelfth has to wait")
    func burst() {
        let throttle = Throttle(Throttle.Settings())
        for _ in 0..<11 { #expect(throttle.admit(address: Self.household, device: "a", now: Self.moment(0)) == nil) }
        #expect(throttle.admit(address: Self.household, device: "a", now: Self.moment(0)) == .milliseconds(1000))
        #expect(throttle.admit(address: Self.household, device: "a", now: Self.moment(400)) == .milliseconds(600))
        #expect(throttle.admit(address: Self.household, device: "a", now: Self.moment(1000)) == nil)
    }

    @Test("does not let one box starve another behind the same router")
    func siblings() {
        let throttle = Throttle(Throttle.Settings())
        for _ in 0..<50 { _ = throttle.admit(address: Self.household, device: "a", now: Self.moment(0)) }
        #expect(throttle.admit(address: Self.household, device: "b", now: Self.moment(0)) == nil)
    }

    @Test("stops an address that names a new device with each call")
    func rotation() {
        let throttle = Throttle(Throttle.Settings())
        let admitted = (0..<500).count {
            throttle.admit(address: Self.household, device: "box \($0)", now: Self.moment(0)) == nil
        }
        #expect(admitted == 101)
        #expect(throttle.admit(address: IPAddress("192.0.2.2")!, device: "x", now: Self.moment(0)) == nil)
    }

    @Test("takes all addresses of one IPv6 network for one")
    func network() {
        let throttle = Throttle(Throttle.Settings())
        let admitted = (0..<100).count {
            throttle.admit(address: IPAddress("2001:db8::\($0 + 1)")!, device: nil, now: Self.moment(0)) == nil
        }
        #expect(admitted == 11)
        #expect(throttle.admit(address: IPAddress("2001:db8:0:1::1")!, device: nil, now: Self.moment(0)) == nil)
    }

    @Test("does not keep a caller out when the clock is set back")
    func clock() {
        var rate = CellRate(now: Self.start)
        _ = rate.admit(at: Self.start, Self.device)
        #expect(rate.admit(at: Self.start - 86_400_000, Self.device) == nil)
    }

    /// Calls of one device at two nodes in turn, with an exchange each second.
    /// - Returns: how many were admitted.
    private static func calls(
        _ count: Int, every interval: Int64, at nodes: [Throttle], device: (Int) -> String
    ) -> Int {
        var admitted = 0
        var told = 0 as Int64
        for call in 0..<count {
            let offset = Int64(call) * interval
            while told + 1000 <= offset {
                told += 1000
                let notes = nodes.map { $0.takeNotes(at: .zero) }
                for (reader, node) in nodes.enumerated() {
                    for (writer, notes) in notes.enumerated() where writer != reader {
                        node.count(notes, at: .zero, now: Self.moment(told))
                    }
                }
            }
            let node = nodes[call % nodes.count]
            if node.admit(address: Self.household, device: device(call), now: Self.moment(offset)) == nil {
                admitted += 1
            }
        }
        return admitted
    }

    private static func nodes(areShared: Bool) -> [Throttle] {
        (0..<2).map { _ in Throttle(Throttle.Settings(), isShared: areShared) }
    }

    @Test("of two nodes admits one device little more than that of one does")
    func sharedDevice() {
        let alone = Self.calls(600, every: 100, at: [Throttle(Throttle.Settings())]) { _ in "a" }
        let apart = Self.calls(600, every: 100, at: Self.nodes(areShared: false)) { _ in "a" }
        let together = Self.calls(600, every: 100, at: Self.nodes(areShared: true)) { _ in "a" }
        #expect(alone == 70)
        #expect(apart == 140)
        #expect((70...95).contains(together), "\(together)")
    }

    @Test("of two nodes admits an address little more, however many devices it names")
    func sharedAddress() {
        let alone = Self.calls(6000, every: 10, at: [Throttle(Throttle.Settings())]) { "\($0)" }
        let together = Self.calls(6000, every: 10, at: Self.nodes(areShared: true)) { "\($0)" }
        #expect((690...710).contains(alone), "\(alone)")
        #expect((700...950).contains(together), "\(together)")
    }

    @Test("tells no other node of a box that polls now and then")
    func quiet() {
        let throttle = Throttle(Throttle.Settings(), isShared: true)
        for poll in 0..<20 as Range<Int64> {
            _ = throttle.admit(address: Self.household, device: "a", now: Self.moment(poll * 5000))
        }
        #expect(throttle.takeNotes(at: .zero).isEmpty)
    }

    @Test("tells other nodes of an IPv6 network as one caller, which they keep out")
    func networkElsewhere() throws {
        let nodes = Self.nodes(areShared: true)
        func calls(at node: Throttle) -> Int {
            (0..<100).count {
                node.admit(address: IPAddress("2001:db8::\($0 + 1)")!, device: nil, now: Self.moment(0)) == nil
            }
        }
        #expect(calls(at: nodes[0]) == 11)
        let notes = nodes[0].takeNotes(at: .zero)
        #expect(notes.devices.calls.counts.count == 1)
        // As the exchange writes it.
        let read = try JSONDecoder().decode(ThrottleNotes.self, from: try JSONEncoder().encode(notes))
        #expect(read == notes)
        nodes[1].count(read, at: .zero, now: Self.moment(0))
        #expect(calls(at: nodes[1]) < 11)
    }

    @Test("keeps no one out for longer than a full burst and two seconds, whatever another node tells")
    func countElsewhere() {
        var rate = CellRate(now: Self.start)
        rate.countElsewhere(.max, at: Self.start, Self.device)
        #expect(rate.admit(at: Self.start, Self.device) == 3000)
        #expect(rate.admit(at: Self.start + 3000, Self.device) == nil)
    }

    @Test("lets no one in sooner for what another node tells late")
    func countElsewhereLate() {
        var rate = CellRate(now: Self.start)
        while rate.admit(at: Self.start, Self.device) == nil {}
        let missing = rate.admit(at: Self.start, Self.device)
        rate.countElsewhere(1, at: Self.start - 30_000, Self.device)
        #expect(rate.admit(at: Self.start, Self.device) == missing)
    }
}
