import Clientless
import Cryptography
import Synchronization
import Testing

@testable import Entitlement

@Suite("What happens to boxes", .fixture, .timeLimit(.minutes(5)))
struct BoxReportTests {
    /// A domain that tells its events, and pairings in it.
    private func listening() throws -> (told: Told, domain: Entitlements, pairing: Fixture) {
        let told = Told()
        let domain = try Fixture.domain(
            on: fixture.store, provider: fixture.provider, uptime: fixture.uptime, report: { told.note($0) })
        let pairing = Fixture(store: fixture.store, domain: domain, provider: fixture.provider, uptime: fixture.uptime)
        return (told, domain, pairing)
    }

    @Test func `is told step by step, with the time from the code to the confirmation`() async throws {
        let (told, domain, second) = try self.listening()
        try await domain.upkeep.start(now: Fixture.now)
        let code = try await second.code()
        let start = try await second.begun(code)
        _ = try await second.signIn(start.token, account: "ada", password: "wrong")
        _ = try await second.signIn(start.token, account: "ada")
        let later = Fixture.now + .seconds(42)
        _ = try await domain.logins.confirm(start.token, now: later)
        for (step, channel) in ["ada TV", "ada TV", "nothing of hers"].enumerated() {
            _ = try? await domain.decisions.authorize(
                Resource(channel)!, context: second.device("box"), now: later + .seconds(step))
        }
        try await domain.logins.decline(code: try await second.code(for: "attic"), now: later)

        let events = told.events
        // The second permit is the first one, which was kept.
        #expect(
            events.map(\.kind) == [
                .codeMade, .codeOpened, .signInBegun, .signInRefused, .confirmed, .permitted, .permitRefused, .codeMade,
                .declined,
            ])
        let confirmed = try #require(events.first(where: { $0.kind == .confirmed }))
        #expect(confirmed.duration == .seconds(42) && confirmed.mvpd == Fixture.provider)
        #expect(Set(events.prefix(5).map(\.device)).count == 1)
        #expect(events.first?.network != nil && events.first?.mvpd == nil)
        let refused = try #require(events.first(where: { $0.kind == .permitRefused }))
        #expect(refused.denial == .provider && refused.resource == Resource("nothing of hers"))
        #expect(events.first(where: { $0.kind == .permitted })?.resource == Resource("ada TV"))
        try await domain.reports.keep()
        let kept = try await domain.reports.counts(from: Fixture.now, until: Fixture.now + .seconds(3600), limit: 100)
        #expect(kept.counts.reduce(0) { $0 + $1.count } == events.count && !kept.hasMore)
        // Kept once.
        try await domain.reports.keep()
        let again = try await domain.reports.counts(from: Fixture.now, until: Fixture.now + .seconds(3600), limit: 100)
        #expect(again.counts == kept.counts)
    }

    @Test func `names the viewer where wrong passwords close a limit as a refused password does`() async throws {
        let (told, _, second) = try self.listening()
        let start = try await second.begun(try await second.code())
        for _ in 0..<10 { _ = try await second.signIn(start.token, account: "ada", password: "wrong") }
        let closings = told.notices.compactMap { notice -> GuessClosing? in
            guard case .passwordGuessesClosed(let closing) = notice else { return nil }
            return closing
        }
        let viewer = try #require(told.events.last?.viewer)
        #expect(closings.count > 1)
        #expect(closings.contains { $0.scope == .account } && closings.allSatisfy { $0.viewer == viewer })
    }

    @Test func `leaves out viewers who look at their boxes: no code, no failure, no refusal of a brand`() async throws {
        let told = Told()
        let domain = try Fixture.domain(
            on: fixture.store, provider: fixture.provider, uptime: fixture.uptime, report: { told.note($0) })
        let start = try await domain.logins.beginForBoxes(
            at: Fixture.provider, browser: Fixture.browser, callback: Fixture.callback, by: .viewer, now: Fixture.now)
        for password in ["wrong", "right"] {
            _ = try await domain.logins.complete(
                start.token, response: .password(account: "ada", password: Secret(password)))
        }
        let view = try await domain.logins.login(start.token)
        #expect(view.stage(at: Fixture.now) == .boxes && domain.codes.openCount == 0)
        #expect(try await fixture.store.liveCodeCount(now: Fixture.now) == 0)
        #expect(try await domain.codes.openCodes(limit: 9, now: Fixture.now).isEmpty)
        _ = try await domain.logins.decline(start.token)
        #expect(told.events.isEmpty)
    }

    @Test func `has a code opened that a programmer's page sends to a provider, once`() async throws {
        let (told, _, second) = try self.listening()
        let code = try await second.code()
        for _ in 0..<2 {
            _ = try await second.begun(code, origin: .foreignPage(redirectURL: "https://north-sport.example/"))
        }
        #expect(told.events.map(\.kind) == [.codeMade, .codeOpened, .signInBegun, .signInBegun])
    }

    @Test func `has a code opened once, however many callers read it before that`() async throws {
        let (told, domain, second) = try self.listening()
        let code = try await second.code()
        let record = try #require(try await domain.codes.storedCode(code))
        for _ in 0..<2 { try await domain.codes.noteOpened(record, now: Fixture.now) }
        #expect(told.events.map(\.kind) == [.codeMade, .codeOpened])
    }

    @Test("has a code opened once, also if its viewer enters it again after a refusal without a sentence")
    func openedAfterRefusal() async throws {
        let (told, domain, second) = try self.listening()
        let code = try await second.code()
        for _ in 0..<2 {
            try await domain.codes.noteOpened(try #require(try await domain.codes.storedCode(code)), now: Fixture.now)
            let start = try await second.begun(code)
            _ = try await second.signIn(start.token, account: "ada", password: "wrong")
        }
        #expect(told.events.count { $0.kind == .signInRefused } == 2)
        #expect(told.events.count { $0.kind == .codeOpened } == 1)
    }

    @Test func `is counted once where the answer of the store is lost`() async throws {
        let reports = Reports(store: DeafReportStore(store: fixture.store))
        reports.count(self.event(.confirmed))
        await #expect(throws: EntitlementError.self) { try await reports.keep() }
        reports.count(self.event(.confirmed))
        try await reports.keep()
        #expect(try await fixture.store.reportCounts(ReportSelection(0..<9), limit: 9).map(\.count) == [2])
    }

    private func event(_ kind: BoxStep.Kind, _ platform: String = "Linux", hour: Int64 = 0) -> BoxStep {
        BoxStep(
            kind: kind, time: Timestamp(seconds: 3600 * hour + 59), requestor: Fixture.requestor,
            mvpd: Fixture.provider, device: DeviceHash(bytes: [1]),
            model: BoxModel(deviceType: "STB", platform: platform))
    }

    @Test("is counted under few names, whatever boxes call themselves")
    func bound() async throws {
        let reports = Reports(store: fixture.store)
        for number in 0..<Reports.mostKept + 100 { reports.count(self.event(.confirmed, "P\(number)")) }
        try await reports.keep()
        let (counts, _) = try await reports.counts(
            from: Timestamp(seconds: 0), until: Timestamp(seconds: 3600), limit: 10_000)
        #expect(counts.count == Reports.mostKept + 1)
        #expect(counts.first(where: { $0.key.model == BoxModel() })?.count == 100)
    }

    @Test func `is known by the minute for an hour, of boxes that call themselves few names`() async throws {
        let reports = Reports(store: fixture.store)
        // At 00:00:59, and an hour later, which takes the place of that.
        for number in 0..<RecentCounts.mostKept + 10 { reports.count(self.event(.confirmed, "P\(number)")) }
        reports.count(self.event(.codeMade))
        let (start, hour) = (Timestamp(seconds: 0), Timestamp(seconds: 3600))
        let first = reports.minuteCounts(from: start, until: hour)
        #expect(first.count == RecentCounts.mostKept + 2)
        #expect(first.first { $0.key.model == BoxModel() && $0.key.event == .confirmed }?.count == 10)
        #expect(first.allSatisfy { $0.key.minute == 0 && $0.key.hour == 0 })
        #expect(reports.minuteCounts(from: Timestamp(seconds: 60), until: hour).isEmpty)
        reports.count(self.event(.declined, hour: 1))
        let later = reports.minuteCounts(from: start, until: hour + .seconds(60))
        #expect(later.map(\.key.hour) == [1] && later.map(\.count) == [1])
        let report = MonitoringReport(later, MonitoringQuestion([.hour, .minute, .event]), of: [Fixture.requestor])
        #expect(report.rows == [.init(values: ["1", "0", "declined"], numbers: [1])])
        // Of a clock that was set back.
        reports.count(self.event(.declined))
        #expect(reports.minuteCounts(from: start, until: hour).map(\.count) == [1])
    }

    @Test("is said in plain words of few bytes")
    func models() {
        let long = String(repeating: "x", count: 33)
        for text in [nil, "", "a<b", "a\nb", "é", long] {
            #expect(BoxModel(deviceType: text, platform: text) == BoxModel())
        }
        #expect(BoxModel(deviceType: "SetTopBox", platform: "Linux 6.1_x-y").platform == "Linux 6.1_x-y")
        let raw = #"{"type":"TV","model":"operatingSystem\":{\"name\":\"X","operatingSystem":{"name":"iOS"}}"#
        func box(_ information: String?) -> BoxDescription {
            BoxDescription(
                name: nil, model: nil, software: nil, userAgent: nil, deviceInformation: information, address: "")
        }
        #expect(BoxModel(box(Base64.encode(raw.utf8)), deviceType: "x") == BoxModel(deviceType: "TV", platform: "iOS"))
        #expect(BoxModel(box("???"), deviceType: "other") == BoxModel(deviceType: "other"))
        #expect(BoxModel(box(nil), deviceType: nil) == BoxModel())
    }

    @Test func `makes a table by any of its properties, each event in its columns`() {
        let counts = [
            (self.event(.codeMade), 2), (self.event(.permitted, hour: 1), 3), (self.event(.permitRefused, hour: 1), 4),
            (self.event(.permitted, "Other", hour: 25), 5),
        ].map { ReportCount(ReportCount.Key($0.0), count: $0.1) }
        func rows(_ dimensions: ReportTable.Dimension...) -> [[String]: [Int]] {
            let table = ReportTable(counts, by: dimensions) {
                "1970-01-0\(1 + $0.seconds / 86_400)T\($0.seconds / 3600)"
            }
            return Dictionary(uniqueKeysWithValues: table.rows.map { ($0.values, $0.numbers) })
        }
        #expect(rows(.day)[["1970-01-01"]] == [2, 0, 0, 0, 0, 0, 7, 3, 4, 0])
        #expect(rows(.day)[["1970-01-02"]] == [0, 0, 0, 0, 0, 0, 5, 5, 0, 0])
        #expect(rows(.hour).count == 3 && rows(.platform, .mvpd)[["Other", "CableNova"]]?[6] == 5)
        #expect(rows()[[]]?.reduce(0, +) == 2 + 2 * 12)
    }
}

/// A store whose first answer to an addition is lost on the way.
private final class DeafReportStore: ReportStore {
    private let store: any EmbeddedStore
    private let hasAnswered = Atomic(false)

    init(store: any EmbeddedStore) { self.store = store }

    func add(_ counts: [ReportCount], batch: String, until end: Timestamp) async throws(StoreError) {
        try await self.store.add(counts, batch: batch, until: end)
        if !self.hasAnswered.exchange(true, ordering: .relaxed) { throw StoreError(.unavailable, detail: "lost") }
    }

    func reportCounts(_ selection: ReportSelection, limit: Int) async throws(StoreError) -> [ReportCount] {
        try await self.store.reportCounts(selection, limit: limit)
    }
}
