import Clientless
import CommandLineTool
import Entitlement
import StoreFixtures
import Stores
import TestSupport
import Testing

@Suite("latchkeyd report", .demo, .timeLimit(.minutes(5)))
struct ReportCommandTests {
    /// 2027-01-15T08:00:00Z
    private static let hour: Int64 = 500_000
    private static let now = Timestamp(seconds: 1_800_000_000 + 7200)

    private func madeSetUp(_ further: [(hour: Int64, codes: Int)] = []) async throws -> TestSetUp {
        let (requestor, mvpd) = (try #require(RequestorID("DEMO")), try #require(MVPDID("DemoTV")))
        func count(_ hour: Int64, _ event: BoxStep.Kind, _ number: Int) -> ReportCount {
            ReportCount(
                ReportCount.Key(
                    hour: hour, requestor: requestor, mvpd: event == .codeMade ? nil : mvpd,
                    model: BoxModel(deviceType: "TV", platform: "Linux"), event: event), count: number)
        }
        let store = try await SQLiteStore.open(setUp.file("latchkeyd.sqlite"))
        try await store.add([
            count(Self.hour, .codeMade, 3), count(Self.hour, .confirmed, 2), count(Self.hour + 1, .permitted, 4),
            count(Self.hour + 1, .permitRefused, 1), count(Self.hour - 24 * 40, .codeMade, 9),
        ])
        try await store.add(further.map { count($0.hour, .codeMade, $0.codes) })
        await store.close()
        return setUp
    }

    @Test func `shows the last thirty days as a table, for spreadsheets, as JSON and as XML`() async throws {
        let setUp = try await self.madeSetUp()
        try await setUp.run("report", now: Self.now).expect(.success, output: "2027-01-15  3")
        try await setUp.run("report", "--until", "2026-12-08", now: Self.now).expect(.success, output: "2026-12-06  9")
        let csv = try await setUp.run("report", "--by", "mvpd", "--by", "platform", "--format", "csv", now: Self.now)
        #expect(
            csv.output
                == "provider,platform,codes,codes-opened,authn-attempts,authn-failed,authn-successful,declined,"
                + "authz-attempts,authz-successful,authz-failed,media-tokens\r\n"
                + ",Linux,3,0,0,0,0,0,0,0,0,0\r\nDemoTV,Linux,0,0,0,0,2,0,5,4,1,0\r\n", "\(csv.output)")
        let words = try await setUp.run("report", "--by", "provider", "--by", "requestor", now: Self.now)
        let heading = words.output.split(separator: "\n").first?.split(separator: " ").prefix(2)
        #expect(heading == ["PROVIDER", "REQUESTOR"], "\(words.output)")
        let json = try await setUp.run("report", "--by", "hour", "--format", "json", now: Self.now)
        #expect(json.output.contains(#""hour":"2027-01-15T08:00:00Z""#) && json.output.contains(#""codes":"3""#))
        let xml = try await setUp.run("report", "--by", "device", "--format", "xml", now: Self.now)
        #expect(xml.output.hasPrefix("<report>\n<record device=\"TV\" codes=\"3\" "), "\(xml.output)")
        let late = try await setUp.run(
            "report", "--by", "requestor-id", "--since", "2027-01-15T09:00:00Z", "--format", "csv", now: Self.now)
        #expect(late.output.hasSuffix("\r\nDEMO,0,0,0,0,0,0,5,4,1,0\r\n"), "\(late.output)")
    }

    @Test("begins a number of days with a whole one, and has hours and days of the machine's time zone")
    func days() async throws {
        // The first and the last hour of the day before, in UTC; the hour in which that day begins in India; and hours
        // around two midnights in Cairo, before and when the clock is changed on April 30.
        let (india, cairo) = ("IST-5:30", "EET-2EEST,M4.5.5/0,M10.5.4/24")
        let setUp = try await self.madeSetUp(
            [(499_968, 5), (499_991, 7), (499_962, 6), (501_909, 1), (501_910, 8), (502_509, 2), (502_510, 4)])
        for (zone, span, rows) in [
            (india, "--since 2027-01-14 --until 2027-01-16", ["01-14T05:30:00+05:30,5", "01-15T04:30:00+05:30,7"]),
            (cairo, "--until 2027-05-05", ["04-05T00:00:00+02:00,8"]),
            (cairo, "--since 2027-04-30 --until 2027-05-05", ["04-30T01:00:00+03:00,4"]),
        ] {
            let (end, output, talk) = try await ChildProcess(
                BuiltProgram.path, "report --format csv --by hour \(span)".split(separator: " ").map(String.init),
                environment: ["LATCHKEYD_CONFIG": setUp.configurationFile, "TZ": zone]
            ).run()
            let expected = "media-tokens\r\n2027-" + rows.joined(separator: ",0,0,0,0,0,0,0,0,0\r\n2027-")
            #expect(end == .exited(0) && output.contains(expected), "\(output)\(talk)")
        }
        let lately = try await setUp.run("report", "--since", "1d", now: Timestamp(seconds: Self.hour * 3600 + 7200))
        #expect(lately.output.contains("2027-01-14  12"), "\(lately.output)")
    }

    @Test(arguments: [
        (["--by", "dey"], "Did you mean 'day'?"), (["--format", "html"], "--format takes one of text, json"),
        (["--since", "soon"], "--since takes a time, such as"),
        (["--json", "--format", "csv"], "--json and --format do not go together."),
    ])
    func `is refused for what it cannot be grouped by, or written as`(words: [String], sentence: String) async throws {
        try await setUp.run(["report"] + words).expect(.usage, talk: sentence)
    }
}
