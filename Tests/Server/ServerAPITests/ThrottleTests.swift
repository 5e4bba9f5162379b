import Clientless
import Entitlement
import HTTPServer
import Testing

@testable import ServerAPI

@Suite("The throttle")
struct ThrottleTests {
    static let device = ThrottleLimit(interval: 1000, tolerance: 10_000)
    static let start: Int64 = 1_767_225_600_000
    static let household = IPAddress("192.0.2.1")!

    static func moment(_ offset: Int64) -> Timestamp { Timestamp(milliseconds: self.start + offset) }

    @Test func `admits and rejects exactly as the published trace does`() {
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

    @Test func `refills its burst: after a minute of silence five quick calls pass`() {
        var rate = CellRate(now: Self.start)
        for _ in 0..<20 { _ = rate.admit(at: Self.start, Self.device) }
        for call in 0..<5 {
            #expect(rate.admit(at: Self.start + 60_000 + Int64(call) * 100, Self.device) == nil)
        }
    }

    @Test func `lets a burst of eleven pass, and says how long the twelfth has to wait`() {
        let throttle = Throttle(Throttle.Settings())
        for _ in 0..<11 { #expect(throttle.admit(address: Self.household, device: [1], now: Self.moment(0)) == nil) }
        #expect(throttle.admit(address: Self.household, device: [1], now: Self.moment(0)) == .milliseconds(1000))
        #expect(throttle.admit(address: Self.household, device: [1], now: Self.moment(400)) == .milliseconds(600))
        #expect(throttle.admit(address: Self.household, device: [1], now: Self.moment(1000)) == nil)
    }

    @Test func `does not let one box starve another behind the same router`() {
        let throttle = Throttle(Throttle.Settings())
        for _ in 0..<50 { _ = throttle.admit(address: Self.household, device: [1], now: Self.moment(0)) }
        #expect(throttle.admit(address: Self.household, device: [2], now: Self.moment(0)) == nil)
    }

    @Test func `stops an address that names a new device with each call`() {
        let throttle = Throttle(Throttle.Settings())
        let admitted = (0..<500).count {
            let device = [UInt8($0 / 250), UInt8($0 % 250)]
            return throttle.admit(address: Self.household, device: device[...], now: Self.moment(0)) == nil
        }
        #expect(admitted == 101)
        #expect(throttle.admit(address: IPAddress("192.0.2.2")!, device: [3], now: Self.moment(0)) == nil)
    }

    @Test func `takes all addresses of one IPv6 network for one`() {
        let throttle = Throttle(Throttle.Settings())
        let admitted = (0..<100).count {
            throttle.admit(address: IPAddress("2001:db8::\($0 + 1)")!, device: nil, now: Self.moment(0)) == nil
        }
        #expect(admitted == 11)
        #expect(throttle.admit(address: IPAddress("2001:db8:0:1::1")!, device: nil, now: Self.moment(0)) == nil)
    }

    @Test func `does not keep a caller out when the clock is set back`() {
        var rate = CellRate(now: Self.start)
        _ = rate.admit(at: Self.start, Self.device)
        #expect(rate.admit(at: Self.start - 86_400_000, Self.device) == nil)
    }

    /// Calls at nodes in turn.
    /// - Returns: how many were admitted.
    private static func calls(_ count: Int, every interval: Int64, at number: Int, device: (Int) -> [UInt8]) -> Int {
        let living = LivingNodes()
        living.note(number)
        let nodes = (0..<number).map { _ in Throttle(Throttle.Settings(), nodes: living) }
        return (0..<count).count { call in
            nodes[call % number].admit(
                address: Self.household, device: device(call)[...], now: Self.moment(Int64(call) * interval)) == nil
        }
    }

    @Test func `of two nodes admits one device and one address what that of one does`() {
        #expect(Self.calls(600, every: 100, at: 1) { _ in [1] } == 70)
        #expect((69...72).contains(Self.calls(600, every: 100, at: 2) { _ in [1] }))
        #expect((690...710).contains(Self.calls(6000, every: 10, at: 1) { [UInt8($0 / 250), UInt8($0 % 250)] }))
        #expect((690...710).contains(Self.calls(6000, every: 10, at: 2) { [UInt8($0 / 250), UInt8($0 % 250)] }))
    }

    @Test func `of one of many nodes lets a burst of five pass`() {
        let living = LivingNodes()
        living.note(100)
        let throttle = Throttle(Throttle.Settings(), nodes: living)
        let rate = AddressRate(callsPerMinute: 3, nodes: living)
        func admitted(at offset: Int64) -> [Int] {
            [
                (0..<20).count { _ in
                    throttle.admit(address: Self.household, device: [1], now: Self.moment(offset)) == nil
                },
                (0..<20).count { _ in rate.admit(Self.household, now: Self.moment(offset)) == nil },
            ]
        }
        #expect(admitted(at: 0) == [5, 3])
        #expect(admitted(at: 60_000) == [5, 3])
    }
}
