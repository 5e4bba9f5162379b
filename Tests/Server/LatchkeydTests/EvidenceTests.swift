import Clientless
import Observability
import Synchronization
import TestSupport
import Testing

@testable import Entitlement
@testable import latchkeyd

@Suite("The evidence of what the domain tells")
struct EvidenceTests {
    private final class Surroundings: Sendable {
        let lines = Mutex<[String]>([])
        let uptime = Mutex(Duration.zero)

        var logger: Logger {
            Logger(
                component: "test", sink: LogSink { line in self.lines.withLock { $0.append(line) } },
                clock: { 0 })
        }
    }

    private static let network = NetworkAddress.v4(0xC000_0211).neighbourhood

    @Test func `is there from the first moment on, or no rule would see it rise`() {
        let metrics = Metrics()
        _ = Evidence(metrics, logger: .silent, uptime: { .zero })
        let text = metrics.prometheusText()
        for scope in GuessScope.allCases.map(\.rawValue) {
            for kind in ["code", "password", "set-up"] {
                #expect(text.contains("latchkey_guessing_closed_total{kind=\"\(kind)\",scope=\"\(scope)\"} 0\n"))
            }
        }
        #expect(text.contains("latchkey_limits_met_total{limit=\"issuance\"} 0\n"))
        #expect(text.contains("latchkey_limits_met_total{limit=\"clients\"} 0\n"))
        #expect(text.contains("latchkey_nonces_in_memory 0\n"))
    }

    @Test func `tells how large the store is, with what is not yet in its file`() throws {
        let folder = try TemporaryFolder()
        let metrics = Metrics()
        ServerAssembly.publishSize(ofStore: folder.file("store"), in: metrics)
        #expect(metrics.prometheusText().contains("latchkey_store_bytes 0\n"))
        try folder.write("12345", to: "store")
        try folder.write("678", to: "store-wal")
        #expect(metrics.prometheusText().contains("latchkey_store_bytes 8\n"))
    }

    @Test("of one provider, or of notices that anyone may send in its name, hides nothing of another provider")
    func providers() throws {
        let surroundings = Surroundings()
        let evidence = Evidence(Metrics(), logger: surroundings.logger, uptime: { .zero })
        let (flooded, down) = (try #require(MVPDID("Flooded")), try #require(MVPDID("Down")))
        for _ in 0..<25 {
            evidence.take(.noticeRefused(flooded, .unproven, detail: "forged"))
            evidence.take(.providerTrouble(flooded, .signIns, .unproven, detail: "forged"))
        }
        evidence.take(.providerTrouble(down, .signIns, .unreachable, detail: "silent"))
        let lines = surroundings.lines.withLock { $0 }
        #expect(lines.count == 21)
        #expect(
            lines.first?.contains("a notice of a logout was refused detail=forged kind=unproven provider=Flooded")
                == true)
        #expect(lines.last?.contains("provider=Down") == true)
    }

    @Test func `is counted each time, and said ten times a minute by kind, with the network and no address`() throws {
        let metrics = Metrics()
        let surroundings = Surroundings()
        let evidence = Evidence(metrics, logger: surroundings.logger, uptime: { surroundings.uptime.withLock { $0 } })
        for _ in 0..<25 {
            evidence.take(.codeGuessesClosed(GuessClosing(scope: .address, network: Self.network)))
        }
        evidence.take(
            .passwordGuessesClosed(
                GuessClosing(
                    scope: .session, network: Self.network, viewer: "0123456789abcdef",
                    box: DeviceHash(bytes: Array(0...31)).handle)))
        surroundings.uptime.withLock { $0 = .seconds(60) }
        evidence.take(.codeGuessesClosed(GuessClosing(scope: .network, network: Self.network)))
        let lines = surroundings.lines.withLock { $0 }
        #expect(lines.count == 12)
        #expect(
            lines.first
                == "1970-01-01T00:00:00.000Z warning test: wrong codes closed a limit "
                + "network=192.0.2.0/24 scope=address\n")
        #expect(
            lines[10].contains(
                "wrong passwords closed a limit box=00010203-04050607 network=192.0.2.0/24 scope=session "
                    + "viewer=0123456789abcdef"))
        #expect(lines[11].contains("wrong codes closed a limit dropped=15 network=192.0.2.0/24 scope=network"))
        let text = metrics.prometheusText()
        #expect(text.contains("latchkey_guessing_closed_total{kind=\"code\",scope=\"address\"} 25\n"))
        #expect(text.contains("latchkey_guessing_closed_total{kind=\"code\",scope=\"network\"} 1\n"))
        #expect(text.contains("latchkey_guessing_closed_total{kind=\"password\",scope=\"session\"} 1\n"))
    }

    private func event(_ kind: BoxStep.Kind, duration: Duration? = nil, denial: Denial? = nil) throws -> BoxStep {
        var event = BoxStep(
            kind: kind, time: Timestamp(seconds: 0), requestor: try #require(RequestorID("NORTHSPORT")),
            mvpd: MVPDID("CableNova"), device: DeviceHash(bytes: Array(0...31)))
        event.duration = duration
        event.denial = denial
        event.network = kind == .codeMade ? Self.network : nil
        return event
    }

    @Test("of boxes is counted by step and provider, and said at info with the box's name and no ID")
    func boxes() throws {
        let metrics = Metrics()
        let surroundings = Surroundings()
        let evidence = Evidence(metrics, logger: surroundings.logger, uptime: { .zero })
        var text = metrics.prometheusText()
        for kind in BoxStep.Kind.allCases {
            #expect(text.contains("latchkey_box_events_total{event=\"\(kind.rawValue)\"} 0\n"))
        }
        evidence.take(.box(try self.event(.codeMade)))
        evidence.take(.box(try self.event(.signInBegun)))
        evidence.take(.box(try self.event(.confirmed, duration: .seconds(25))))
        var refused = try self.event(.permitRefused, denial: .network(timeout: true))
        let title = "Film \(String(repeating: "1", count: 100))"
        refused.resource = Resource("<rss><channel><title>\(title)</title></channel></rss>")
        evidence.take(.box(refused))
        var permitted = try self.event(.permitted)
        permitted.resource = Resource("SPORT1")
        for _ in 0..<400 { evidence.take(.box(permitted)) }
        evidence.take(.box(try self.event(.mediaToken)))
        text = metrics.prometheusText()
        #expect(text.contains("latchkey_box_events_total{event=\"permitted\"} 400\n"))
        #expect(text.contains("latchkey_box_events_total{event=\"media-token\"} 1\n"))
        #expect(text.contains("latchkey_pairing_seconds_bucket{le=\"20.0\"} 0\n"))
        #expect(text.contains("latchkey_pairing_seconds_bucket{le=\"30.0\"} 1\n"))
        #expect(text.contains("latchkey_sign_ins_total{provider=\"CableNova\",outcome=\"confirmed\"} 1\n"))
        #expect(text.contains("latchkey_permits_total{provider=\"CableNova\",outcome=\"network\"} 1\n"))
        #expect(text.contains("latchkey_permits_total{provider=\"CableNova\",outcome=\"permitted\"} 400\n"))
        let lines = surroundings.lines.withLock { $0 }
        // Three hundred of each step in a minute, and none of playbacks.
        #expect(lines.count == 4 + 300)
        #expect(
            lines[0] == "1970-01-01T00:00:00.000Z info test: a code was made box=00010203-04050607 "
                + "network=192.0.2.0/24 provider=CableNova requestor=NORTHSPORT\n", "\(lines[0])")
        #expect(lines[2].contains("a box is signed in") && lines[2].contains("duration_us=25000000"))
        #expect(lines[3].contains("a box may not play") && lines[3].contains("provider silent"))
        #expect(lines[3].contains("channel=\"\(title.prefix(64))\" "), "\(lines[3])")
        #expect(lines[4].contains("a box may play") && lines[4].contains("channel=SPORT1 "), "\(lines[4])")
    }

    @Test func `tells of limits that were met, and of nonces that the store does not keep`() {
        let metrics = Metrics()
        let surroundings = Surroundings()
        let evidence = Evidence(metrics, logger: surroundings.logger, uptime: { .zero })
        evidence.take(.issuanceRefused(Self.network))
        evidence.take(.registrationRefused(softwareID: "tv-app"))
        evidence.take(.clientsRefused(Self.network))
        evidence.take(.callsRefused(Self.network))
        evidence.take(.noncesHeldInMemory)
        let text = metrics.prometheusText()
        #expect(text.contains("latchkey_limits_met_total{limit=\"issuance\"} 1\n"))
        #expect(text.contains("latchkey_limits_met_total{limit=\"clients\"} 2\n"))
        #expect(text.contains("latchkey_limits_met_total{limit=\"calls\"} 1\n"))
        #expect(text.contains("latchkey_nonces_in_memory 1\n"))
        evidence.take(.noncesKeptAgain)
        #expect(metrics.prometheusText().contains("latchkey_nonces_in_memory 0\n"))
        let lines = surroundings.lines.withLock { $0 }
        #expect(lines.count == 6)
        #expect(lines[1].contains("application=tv-app"))
    }
}
