import Clientless
import Entitlement
import HTTPClient
import ServerAPI
import TestSupport
import Testing
import WireAnswers

@Suite("Degradation rules", .management, .timeLimit(.minutes(5)))
struct DegradationTests {
    private static let path = "/control/v3/degradation/NorthMedia"
    private static let start = "\(TestClock.start.milliseconds / 1000)"

    private static func measure(
        _ id: String, target: String = "", ttl: Int = 14_400, message: String = "", isInForce: Bool = true
    ) -> String {
        #"{"id":"\#(id)","programmer":{"id":"NORTHSPORT"},"mvpd":{"id":"CableNova"},\#(target)"#
            + #""degradation-measure-enable":\#(isInForce),"#
            + #""degradation-measure-status":"\#(isInForce ? "APPLIED" : "ENDED")","#
            + #""ttl":\#(ttl),"err-msg":"\#(message)","activation-time":\#(Self.start)}"#
    }

    @Test(
        "are put in force, shown and ended, each in the document's words",
        arguments: [
            ("authnAll", "msg=Sorry", "authn-all", "", "Sorry"),
            ("authzAll", "resource=North%20Sport%20HD", "authz-all", #""resource":[{"id":"North Sport HD"}],"#, ""),
            ("authzAll", "", "authz-all", #""resource":[],"#, ""),
            (
                "authzNone", "channel=North%20Sport%20HD&channel=Two&msg=Not%20today", "authz-none",
                #""channel":[{"id":"North Sport HD"},{"id":"Two"}],"#, "Not today"
            ),
        ])
    func lifeCycle(rule: String, query: String, id: String, target: String, message: String) async throws {
        let token = try await wire.token()
        let pair = "programmer=NORTHSPORT&mvpd=CableNova"
        let expected = #"{"degradation-measure":\#(Self.measure(id, target: target, ttl: 7200, message: message))}"#
        try await wire.call(
            .post, "\(Self.path)/\(rule)?\(pair)&\(query)&ttl=7200&format=json", token: token
        ).expect(200, expected)
        #expect(try await wire.call(.get, "\(Self.path)/\(rule)?\(pair)&format=json", token: token).text == expected)
        try await wire.call(.delete, "\(Self.path)/\(rule)?\(pair)&format=json", token: token).expect(204, "")
        try await wire.call(.get, "\(Self.path)/\(rule)?\(pair)&format=json", token: token).expect(
            200, #"{"degradation-measure":[]}"#)
        try await wire.call(.delete, "\(Self.path)/\(rule)?\(pair)&format=json", token: token).expect(404)
    }

    @Test func `have the same members in XML, with the name as the root`() async throws {
        let token = try await wire.token()
        let declaration = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
        func measure(_ channels: String) -> String {
            "<id>authz-none</id><programmer><id>NORTHSPORT</id></programmer><mvpd><id>CableNova</id></mvpd>"
                + channels + "<degradation-measure-enable>true</degradation-measure-enable>"
                + "<degradation-measure-status>APPLIED</degradation-measure-status><ttl>14400</ttl>"
                + "<err-msg>a &lt; b</err-msg><activation-time>\(Self.start)</activation-time>"
        }
        let target = "\(Self.path)/authzNone?programmer=NORTHSPORT&mvpd=CableNova"
        let one = try await wire.call(.post, "\(target)&channel=One&msg=a%20%3C%20b", token: token)
        #expect(one.headers["Content-Type"] == "application/xml;charset=utf-8")
        let first = measure("<channel><id>One</id></channel>")
        #expect(one.text == "\(declaration)<degradation-measure>\(first)</degradation-measure>")
        _ = try await wire.call(.post, "\(target)&channel=Two&msg=a%20%3C%20b", token: token)
        let both = try await wire.call(.get, target, token: token)
        let second = measure("<channel><id>Two</id></channel>")
        let list = [first, second].map { "<degradation-measure>\($0)</degradation-measure>" }
        #expect(
            [list.joined(), list.reversed().joined()].contains {
                both.text == "\(declaration)<degradation-measures>\($0)</degradation-measures>"
            }, "\(both.text)")
        let all = try await wire.call(.get, "\(Self.path)/all?programmer=NORTHSPORT", token: token)
        #expect(all.text.contains("<authzNoneRules><id>authz-none</id>"))
    }

    @Test("all together are three lists, without those that ended unless asked for")
    func all() async throws {
        let token = try await wire.token()
        let pair = "programmer=NORTHSPORT&mvpd=CableNova"
        _ = try await wire.call(.post, "\(Self.path)/authnAll?\(pair)&ttl=60", token: token)
        _ = try await wire.call(.post, "\(Self.path)/authzNone?\(pair)&channel=One", token: token)
        func all(_ query: String) async throws -> String {
            try await wire.call(.get, "\(Self.path)/all?format=json&\(query)", token: token).text
        }
        let none = Self.measure("authz-none", target: #""channel":[{"id":"One"}],"#)
        #expect(
            try await all(pair)
                == #"{"authnRules":[\#(Self.measure("authn-all", ttl: 60))],"authzRules":[],"authzNoneRules":[\#(none)]}"#
        )
        wire.clock.advance(by: .seconds(60))
        #expect(try await all("") == #"{"authnRules":[],"authzRules":[],"authzNoneRules":[\#(none)]}"#)
        let over = Self.measure("authn-all", ttl: 60, isInForce: false)
        #expect(
            try await all("includeHistory=true")
                == #"{"authnRules":[\#(over)],"authzRules":[],"authzNoneRules":[\#(none)]}"#)
        let nothing = #"{"authnRules":[],"authzRules":[],"authzNoneRules":[]}"#
        #expect(try await all("channel=Two") == nothing)
        #expect(try await all("resource=One&media-company=NorthMedia&channel=").contains(#"{"id":"One"}"#))
        #expect(try await all("programmer=WESTSPORT") == nothing)
        #expect(try await all("mvpd=FreePreview") == nothing)
    }

    @Test func `work: a skipped login, a given and a refused permit`() async throws {
        let token = try await wire.token()
        let pair = "programmer=NORTHSPORT&mvpd=CableNova"
        try await wire.signIn(device: "box")
        func decision() async throws -> String {
            do throws(EntitlementError) {
                let record = try await wire.domain.decisions.authorize(
                    Managed.channel, by: try await wire.signedIn("box"),
                    requestor: WireFixture.requestor, now: wire.clock.now)
                return record.origin.rawValue
            } catch {
                return error.viewerMessage ?? ""
            }
        }
        // The account is none of the provider's, which ends the sign-in.
        #expect(try await decision() != "degraded")
        try await wire.signIn(device: "box")
        _ = try await wire.call(.post, "\(Self.path)/authzAll?\(pair)", token: token)
        #expect(try await decision() == "degraded")
        _ = try await wire.call(
            .post, "\(Self.path)/authzNone?\(pair)&channel=North%20Sport%20HD&msg=Blackout", token: token)
        #expect(try await decision() == "Blackout")
        _ = try await wire.call(.post, "\(Self.path)/authnAll?\(pair)", token: token)
        let skipped = wire.domain.degradations.inForce.skippedLogin(
            WireFixture.requestor, WireFixture.provider, at: wire.clock.now)
        #expect(skipped?.kind == .authnAll)
    }

    @Test func `for every provider name none; taking one channel out leaves the others refused`() async throws {
        let token = try await wire.token()
        let target = "\(Self.path)/authzNone.json?programmer=NORTHSPORT"
        let added = try await wire.call(.post, "\(target)&channel=One&channel=Two", token: token)
        #expect(added.text.contains("mvpd") == false)
        #expect(try await wire.call(.delete, "\(target)&channel=Three", token: token).status == 404)
        #expect(try await wire.call(.delete, "\(target)&channel=One", token: token).status == 204)
        let left = try await wire.call(.get, "\(target)&mvpd=CableNova", token: token)
        #expect(left.text.contains(#""channel":[{"id":"Two"}]"#))
        #expect(try await wire.call(.delete, "\(target)&channel=Two", token: token).status == 204)
        #expect(try await wire.call(.get, target, token: token).text == #"{"degradation-measure":[]}"#)
    }

    @Test func `are as many as the providers that a call names, and begin anew when it is made again`() async throws {
        let token = try await wire.token()
        let target = "\(Self.path)/authzAll.json?programmer=NORTHSPORT"
        let pair = "\(target)&mvpd=CableNova&mvpd=FreePreview"
        for ttl in [600, 60] {
            let added = try await wire.call(.post, "\(pair)&ttl=\(ttl)", token: token).text
            #expect(added.contains("CableNova") && added.contains("FreePreview"), "\(added)")
            wire.clock.advance(by: .seconds(1))
        }
        let inForce = try await wire.domain.degradations.rules(includingEnded: false, now: wire.clock.now)
        #expect(inForce.map { $0.ends - $0.activation } == [.seconds(60), .seconds(60)])
        try await wire.call(.delete, pair, token: token).expect(204, "")
        #expect(try await wire.call(.get, target, token: token).text == #"{"degradation-measure":[]}"#)
    }

    @Test(
        "are refused with 400 where something is missing, unknown or out of bounds",
        arguments: [
            ("authnAll", "mvpd=CableNova", "Required 'programmer' is not present"),
            ("authnAll", "programmer=NOBODY", "Invalid programmer"),
            ("authnAll", "programmer=NORTHSPORT&mvpd=Nothing", "Invalid mvpd"),
            ("authnAll", "programmer=NORTHSPORT&mvpd=EastPreview", "Invalid mvpd"),
            ("authnAll", "programmer=NORTHSPORT&resource=One", "Invalid resource"),
            ("authnAll", "programmer=NORTHSPORT&resource=&channel=One", "Invalid channel"),
            ("authzAll", "programmer=NORTHSPORT&ttl=0", "Invalid ttl"),
            ("authzAll", "programmer=NORTHSPORT&ttl=604801", "Invalid ttl"),
            ("authzAll", "programmer=NORTHSPORT&ttl=-1", "Invalid ttl"),
            ("authzAll", "programmer=NORTHSPORT&ttl=1e3", "Invalid ttl"),
            ("authzAll", "programmer=NORTHSPORT&ttl=99999999999999999999", "Invalid ttl"),
            ("authzAll", "programmer=NORTHSPORT&resource=%3Crss%3E", "Invalid resource"),
            ("authzNone", "programmer=NORTHSPORT&channel=%FF", "Invalid channel"),
            ("authzNone", "programmer=NORTHSPORT&msg=a%0Ab", "Invalid msg"),
            ("authzNone", "programmer=NORTHSPORT&media-company=Other", "Invalid media-company"),
        ])
    func invalid(rule: String, query: String, message: String) async throws {
        try await wire.call(.post, "\(Self.path)/\(rule).json?\(query)", token: try await wire.token()).expect(
            400, message: message)
        #expect(try await wire.domain.degradations.rules(includingEnded: true, now: wire.clock.now).isEmpty)
    }

    @Test func `are bounded: in the length of a message, the channels of a rule, and their number`() async throws {
        let token = try await wire.token()
        let target = "\(Self.path)/authzNone.json?programmer=NORTHSPORT"
        let long = String(repeating: "m", count: 501)
        #expect(try await wire.call(.post, "\(target)&msg=\(long)", token: token).status == 400)
        #expect(try await wire.call(.post, "\(target)&msg=\(long.dropLast())", token: token).status == 200)
        let channels = (1...51).map { "&channel=\($0)" }.joined()
        #expect(try await wire.call(.post, target + channels, token: token).status == 400)
        let rules = (1...199).map {
            DegradationRule(
                id: "rule-\($0)", kind: .authzAll, requestor: WireFixture.requestor, mvpd: nil,
                resources: [], message: "", activation: wire.clock.now, ends: wire.clock.now + .seconds(60))
        }
        let audit = AuditEntry(time: wire.clock.now, actor: "fixture", action: "made", subject: "rules")
        #expect(try await wire.store.save(rules, audit: audit))
        try await wire.call(.post, "\(target)&channel=1", token: token).expect(409, message: "Too many rules in force")
    }

    @Test func `of another application's requestor are refused with 403, and not shown`() async throws {
        let (token, other) = (try await wire.token(), try await wire.token(for: Managed.everything))
        let target = "\(Self.path)/authzAll.json?programmer=EASTSPORT"
        #expect(try await wire.call(.post, target, token: other).status == 200)
        for method in [HTTPClient.Method.get, .post, .delete] {
            try await wire.call(method, target, token: token).expect(403, message: "Forbidden", error: "invalid_client")
        }
        try await wire.call(.get, "\(Self.path)/all.json", token: token).expect(
            200, #"{"authnRules":[],"authzRules":[],"authzNoneRules":[]}"#)
        #expect(try await wire.call(.get, "\(Self.path)/all.json", token: other).text.contains("EASTSPORT"))
    }

    @Test func `also open with the scope of the first generation, and there is no other rule`() async throws {
        let token = try await wire.token(for: Managed.oldDegradation)
        #expect(try await wire.call(.get, "\(Self.path)/all.json", token: token).status == 200)
        for rule in ["authNAll", "authn-all", "none"] {
            try await wire.call(.get, "\(Self.path)/\(rule).json?programmer=NORTHSPORT", token: token).expect(404)
        }
    }

    @Test(
        "take so many calls a minute from one address, whoever makes them",
        .management(settings: { $0.degradationCalls = 2 }))
    func limit() async throws {
        let token = try await wire.token()
        func status() async throws -> Int { try await wire.call(.get, "\(Self.path)/all.json", token: token).status }
        #expect(try await status() == 200)
        #expect(try await wire.call(.get, "\(Self.path)/all.json").status == 401)
        try await wire.call(.get, "\(Self.path)/all.json", token: token).expect(
            429, message: "Too Many Requests", headers: ["Retry-After": "30"])
        wire.clock.advance(by: .seconds(29))
        #expect(try await status() == 429)
        wire.clock.advance(by: .seconds(1))
        #expect(try await status() == 200)
        #expect(try await status() == 429)
        #expect(try await wire.call(.get, "/management/v1/audit.json", token: token).status == 403)
        wire.clock.advance(by: .seconds(600))
        #expect(try await status() == 200)
        #expect(try await status() == 200)
        #expect(try await status() == 429)
    }

    @Test func `are in the audit log with the client that made them`() async throws {
        let token = try await wire.token()
        let target = "\(Self.path)/authzAll?programmer=NORTHSPORT&mvpd=CableNova"
        _ = try await wire.call(.post, target, token: token)
        _ = try await wire.call(.delete, target, token: token)
        let entries = try await wire.domain.operations.auditEntries(limit: 2)
        #expect(entries.map(\.action) == ["degradation.end", "degradation.add"])
        #expect(Set(entries.map(\.subject)) == ["authzAll NORTHSPORT CableNova"])
        #expect(entries.allSatisfy { $0.actor.hasPrefix("client ") })
    }
}
