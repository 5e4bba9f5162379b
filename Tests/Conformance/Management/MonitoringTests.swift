import Clientless
import Entitlement
import HTTPClient
import TestSupport
import Testing
import WireAnswers

@Suite("Reports of what boxes did", .management, .timeLimit(.minutes(5)))
struct MonitoringTests {
    /// 2025-12-31T22:00:00Z; the fixture's clock stands at midnight.
    private static let first = TestClock.start.seconds / 3600 - 2

    private static func count(
        _ event: BoxStep.Kind, _ count: Int, after hours: Int64 = 0,
        _ requestor: RequestorID = WireFixture.requestor, _ mvpd: MVPDID? = WireFixture.provider,
        model: BoxModel = BoxModel(deviceType: "SetTopBox", platform: "Linux")
    ) -> ReportCount {
        ReportCount(
            .init(hour: self.first + hours, requestor: requestor, mvpd: mvpd, model: model, event: event), count: count)
    }

    private let token: String

    init() async throws {
        let counts = [
            Self.count(.codeMade, 7, WireFixture.requestor, nil), Self.count(.signInBegun, 5),
            Self.count(.confirmed, 4), Self.count(.mediaToken, 9, after: 1),
            Self.count(.confirmed, 2, after: 1, WireFixture.sibling, Managed.trial),
            Self.count(.confirmed, 100, WireFixture.foreign),
        ]
        try await wire.store.add(counts, batch: "first", until: TestClock.start)
        self.token = try await wire.token()
    }

    @Test("count by the dimensions of the path, for the caller's requestors alone, with links to fewer and to more")
    func json() async throws {
        let path = "/esm/v3/media-company/year/month/day/hour"
        let answer = try await wire.call(
            .get, "\(path)?metrics=authn-successful,media-tokens&start=2025-12-31", token: token
        ).expect(200)
        #expect(
            answer.text.hasSuffix(
                #""report":[{"media-company":"all","year":"2025","month":"12","day":"31","hour":"22","#
                    + #""authn-successful":"4","media-tokens":"0"},{"media-company":"all","year":"2025","#
                    + #""month":"12","day":"31","hour":"23","authn-successful":"2","media-tokens":"9"}]}"#))
        #expect(
            answer.text.hasPrefix(
                #"{"_links":{"self":{"href":"\#(path)?start=2025-12-31T00:00:00&end=2026-01-01T00:00:00"#
                    + #"&limit=1000&metrics=authn-successful,media-tokens"},"#
                    + #""roll-up":{"href":"/esm/v3/media-company/year/month/day"},"drill-down":["#))
        let root = try await wire.call(.get, "/esm/v3", token: token)
        #expect(root.text.contains(#""report":[{"codes":"7","#) && root.text.contains(#""authn-successful":"6""#))
        #expect(!root.text.contains("roll-up") && root.text.contains(#"{"href":"/esm/v3/media-company"}"#))
        #expect(!root.text.contains(#""/esm/v3/month""#))
        let one = try await wire.call(.get, "/esm/v3/year/device", token: token)
        #expect(one.status == 200 && !one.text.contains("drill-down"))
        try await wire.call(.get, "/esm/v3?access_token=\(token)", token: nil).expect(200)
    }

    @Test func `lead from the root to few hundred others, all of which are answered`() {
        var (open, seen): ([[MonitoringQuestion.Dimension]], Int) = ([[]], 0)
        while let path = open.popLast() {
            seen += 1
            let next = MonitoringQuestion.continuations(of: path)
            #expect(Set(next).count == next.count && next.allSatisfy { !path.contains($0) })
            open += next.map { path + [$0] }
            guard seen < 500 else { break }
        }
        #expect((100..<500).contains(seen))
    }

    @Test("are not refused because others, or more days, have more counts than a report is made of")
    func volume() async throws {
        let counts = (0..<2000).map { number in
            Self.count(.confirmed, 1, after: -Int64(number), model: BoxModel(platform: "P\(number % 100)"))
        }
        try await wire.store.add(counts, batch: "volume", until: TestClock.start)
        let answer = try await wire.call(
            .get, "/esm/v3/requestor-id?start=2025&metrics=authn-successful&requestor-id=NORTHSPORT", token: token)
        #expect(answer.text.hasSuffix(#"[{"requestor-id":"NORTHSPORT","authn-successful":"2004"}]}"#))
        let own = try await wire.call(.get, "/esm/v3/year?start=2025-12-31T22:20&end=2025-12-31T22:40", token: token)
        #expect(own.text.contains("?start=2025-12-31T22:00:00&end=2025-12-31T23:00:00&"))
    }

    @Test("take filters, further columns, a limit and a time, and are the hour's alone whose start is not named")
    func filters() async throws {
        let north = #"{"requestor-id":"NORTHSPORT","authn-successful":"4"}"#
        let west = #"{"requestor-id":"WESTSPORT","authn-successful":"2"}"#
        for (target, report) in [
            ("requestor-id?start=2025", "[\(north),\(west)]"),
            ("requestor-id?requestor-id=WESTSPORT", "[\(west)]"),
            ("requestor-id?requestor-id!=WESTSPORT", "[\(north)]"),
            ("requestor-id?requestor-id=WESTSPORT&requestor-id=NORTHSPORT", "[\(north),\(west)]"),
            ("requestor-id?mvpd=FreePreview", "[\(west)]"),
            ("requestor-id?limit=1", "[\(north)]"),
            ("requestor-id?end=2025-12-31T23", "[\(north)]"),
            ("requestor-id?start=2025-12-31T23:00:00Z&requestor-id!=NORTHSPORT", "[\(west)]"),
            ("year?device=&platform=Linux", #"[{"year":"2025","device":"SetTopBox","authn-successful":"6"}]"#),
            ("requestor-id?requestor-id=EASTSPORT", "[]"),
        ] {
            let answer = try await wire.call(.get, "/esm/v3/\(target)&metrics=authn-successful", token: token)
                .expect(200, comment: "\(target)")
            #expect(answer.text.hasSuffix(#""report":"# + report + "}"), "\(target)")
        }
    }

    @Test("tell the steps of boxes apart, with the column that only they have, and know one value of what is one here")
    func steps() async throws {
        let steps = try await wire.call(.get, "/esm/v3/requestor-id/event?requestor-id=NORTHSPORT", token: token)
        #expect(
            steps.text.hasSuffix(
                #""report":[{"requestor-id":"NORTHSPORT","event":"code-made","count":"7"},"#
                    + #"{"requestor-id":"NORTHSPORT","event":"confirmed","count":"4"},"#
                    + #"{"requestor-id":"NORTHSPORT","event":"media-token","count":"9"},"#
                    + #"{"requestor-id":"NORTHSPORT","event":"sign-in-begun","count":"5"}]}"#))
        let added = try await wire.call(.get, "/esm/v3/dc?event=&event=confirmed", token: token)
        #expect(added.text.hasSuffix(#""report":[{"dc":"main","event":"confirmed","count":"6"}]}"#))
        let one = try await wire.call(.get, "/esm/v3/os-family/nsdk/eap?metrics=authn-successful,count", token: token)
        #expect(
            one.text.hasSuffix(
                #"{"os-family":"Linux","nsdk":"non-sdk","eap":"N/A","authn-successful":"6","count":"27"}]}"#))
    }

    @Test func `go down to the minute for the last hour, as the server saw it, and say so beyond`() async throws {
        let path = "/esm/v3/year/month/day/hour/minute"
        let none = try await wire.call(.get, "\(path)?metrics=codes", token: token)
        #expect(none.status == 200 && none.text.hasSuffix(#""report":[]}"#))
        #expect(none.text.contains("?start=2025-12-31T23:00:00&end=2026-01-01T00:00:00"))
        let beyond = try await wire.call(.get, "\(path)?start=2025-12-31T22:00:00", token: token)
        #expect(beyond.status == 400 && beyond.text.hasPrefix("start: "))
    }

    @Test("come as JSON, XML or CSV: by the end of the path, then by the parameter, then by the header")
    func forms() async throws {
        let columns = "metrics=authn-successful&start=2025-12-31"
        let csv = try await wire.call(.get, "/esm/v3/year/month.csv?\(columns)&format=xml", token: token).expect(
            200, "year,month,authn-successful\r\n2025,12,6\r\n")
        #expect(csv.headers["Content-Type"] == "text/csv; charset=utf-8")
        #expect(
            csv.headers["Content-Disposition"]
                == #"attachment; filename="esm__2025-12-31T00-00-00_2026-01-01T00-00-00_.csv""#)
        #expect(try await wire.call(.get, "/esm/v3/year/month?\(columns)&format=csv", token: token).text == csv.text)
        let xml = try await wire.call(.get, "/esm/v3/year/month.xml?\(columns)", token: token)
        #expect(
            xml.text.contains(#"<report><record year="2025" month="12" authn-successful="6"/></report></resource>"#)
        )
        #expect(xml.text.contains(#"<link rel="roll-up" href="/esm/v3/year"/>"#))
        #expect(xml.text.contains(#"<resource href="/esm/v3/year/month?start=2025-12-31T00:00:00&amp;end="#))
        let chosen = try await wire.call(.get, "/esm/v3/year?\(columns)&format=xml", token: token)
        #expect(chosen.text.contains("<resource "))
        try await wire.call(.get, "/esm/v3/year?\(columns)&format=html", token: token).expect(
            406, "format: json, xml or csv\n")
        let plain = try await wire.call(.get, "/esm/v3/year?\(columns)", token: token)
        #expect(plain.headers["Content-Type"] == "application/json;charset=utf-8")
    }

    @Test func `say which field is wrong, and know no other path`() async throws {
        for (query, field) in [
            ("start=2025-13", "start"), ("start=2025-02-30", "start"), ("end=yesterday", "end"),
            ("start=2026&end=2025", "start"), ("start=&metrics=events", "metrics"),
            ("metrics=codes,codes", "metrics"), ("metrics=x", "metrics"),
            ("limit=0", "limit"), ("channel=News", "channel"), ("year=2025", "year"), ("limit=100001", "limit"),
            ("mvpd=\(String(repeating: "x", count: 129))", "mvpd"),
        ] {
            let answer = try await wire.call(.get, "/esm/v3/year?\(query)", token: token)
            #expect(answer.status == 400 && answer.text.hasPrefix("\(field)"), "\(query)")
            #expect(answer.headers["Content-Type"] == "text/plain; charset=utf-8")
        }
        for path in [
            "/esm/v3/minute", "/esm/v3/year/month/day/minute", "/esm/v3/month", "/esm/v3/year/year",
            "/esm/v3/year/day", "/esm/v3/x.csv",
        ] {
            #expect(try await wire.call(.get, path, token: token).status == 404, "\(path)")
        }
        let unscoped = try await wire.token(for: Managed.oldDegradation)
        #expect(try await wire.call(.get, "/esm/v3/year", token: unscoped).status == 403)
    }
}
