import Clientless
import Cryptography
import FoundationEssentials
import HTTPClient
import OpenIDConnect
import TestSupport
import Testing

@testable import Entitlement
@testable import Providers

@Suite("A provider's authorization endpoint", .timeLimit(.minutes(5)))
struct HTTPDecisionPointTests {
    private static let now = TestClock.start
    private static let question = DecisionQuestion(
        requestor: RequestorID("NORTHSPORT")!, viewer: "v-1",
        resources: [Resource("Sport")!, Resource("News")!, Resource("Film")!])

    private func point(
        _ url: String, token: Secret? = Secret("t0ken"), time: Duration = .seconds(2),
        _ configuration: HTTPClient.Configuration = .init()
    ) -> HTTPDecisionPoint {
        HTTPDecisionPoint(
            AuthorizationCall(
                "\(url)/decide", token: token, time: time, exchange: HTTPClient(configuration)))
    }

    private func decided(_ answer: String) -> [Decision]? {
        DecisionAnswer(Array(answer.utf8))?.decisions(on: 3, now: Self.now)
    }

    @Test("is asked in words that its description has, on one connection, and answers item by item")
    func exchange() async throws {
        let server = try ScriptedServer { _ in
            .response(
                200, headers: ["Content-Type": "application/json"],
                body: """
                    {"decisions": [{"id": "2", "decision": "deny", "message": "Not in your package."},
                    {"id": "0", "decision": "permit", "expiresIn": 600}]}
                    """)
        }
        let point = self.point(server.url)
        for _ in 0..<2 {
            let decisions = try await point.decide(Self.question, now: Self.now)
            #expect(
                decisions == [
                    .permitted(until: Self.now + .seconds(600)), .unanswered, .deny(reason: "Not in your package."),
                ])
        }
        try await point.tryOut(now: Self.now)
        let requests = server.requests
        #expect(requests.map(\.positionOnConnection) == [0, 1, 2], "the connection stays")
        #expect(requests[0].method == "POST" && requests[0].target == "/decide")
        #expect(requests[0].headers["authorization"] == "Bearer t0ken")
        #expect(requests[0].headers["content-type"] == "application/json")
        #expect(
            requests[0].text
                == #"{"version":1,"requestor":"NORTHSPORT","viewer":"v-1","resources":["#
                + #"{"id":"0","channel":"Sport","resource":"Sport"},{"id":"1","channel":"News","resource":"News"},"#
                + #"{"id":"2","channel":"Film","resource":"Film"}]}"#)
        #expect(requests[2].text == #"{"version":1,"resources":[]}"#)
    }

    @Test func `is described by examples that are what it is sent, and what is understood`() throws {
        let file = try Data(contentsOf: URL(filePath: "deploy/contracts/authorization.openapi.json"))
        let document = try #require(JSONValue(reading: Array(file))).ordered
        let operation = document["paths"]?["/decisions"]?["post"]
        func examples(_ body: JSONValue?) -> JSONValue? { body?["content"]?["application/json"]?["examples"] }
        func sent(_ resources: [Resource], _ viewer: String?, _ requestor: RequestorID?) -> JSONValue? {
            ForeignJSON.object(HTTPDecisionPoint.body(resources, viewer: viewer, requestor: requestor), limit: 65_536)?
                .ordered
        }
        let asked = examples(operation?["requestBody"])
        let question = Self.question
        #expect(asked?["viewer"]?["value"] == sent(question.resources, question.viewer, question.requestor))
        #expect(asked?["trial"]?["value"] == sent([], nil, nil))
        let answered = examples(operation?["responses"]?["200"])
        let limit = MetadataValue.map([NamedText("VCHIP", "tv-14")])
        #expect(
            self.decided(try #require(answered?["viewer"]?["value"]?.text)) == [
                .restricted(to: limit, until: Self.now + .seconds(600)),
                .deny(reason: "News comes with the large package. Call 555-0100 to get it."), .unanswered,
            ])
        #expect(self.decided(try #require(answered?["trial"]?["value"]?.text)) != nil)
        let words = document["components"]?["schemas"]?["Decision"]?["properties"]?["decision"]?["enum"]
        #expect(words == .array(["permit", "deny", "error"]))
    }

    @Test("may tie a permit to obligations; one that is not known here makes it none")
    func obligations() {
        let limit = MetadataValue.map([NamedText("VCHIP", "tv-14")])
        let items: [(String, Decision)] = [
            (#""decision":"permit""#, .permit),
            (#""decision":"permit","obligations":[{"kind":"log"}]"#, .permit),
            (#""decision":"permit","expiresIn":0"#, .permitted(until: Self.now + .seconds(60))),
            (
                #""decision":"permit","expiresIn":60,"obligations":[{"kind":"reauthorize","after":30}]"#,
                .permitted(until: Self.now + .seconds(30))
            ),
            (
                #""decision":"permit","obligations":[{"kind":"maxRating","value":{"VCHIP":"tv-14"}}]"#,
                .restricted(to: limit, until: nil)
            ),
            (#""decision":"permit","obligations":[{"kind":"watermark"}]"#, .deny(reason: nil)),
            // A limit that no ladder here has could not be kept.
            (#""decision":"permit","obligations":[{"kind":"maxRating","value":{}}]"#, .deny(reason: nil)),
            (#""decision":"permit","obligations":[{"kind":"maxRating","value":{"FSK":"12"}}]"#, .deny(reason: nil)),
            (#""decision":"permit","obligations":[{"kind":"maxRating","value":{"VCHIP":"tv"}}]"#, .deny(reason: nil)),
            (#""decision":"permit","obligations":[{"kind":"maxRating","value":{"VCHIP":14}}]"#, .unanswered),
            (
                #""decision":"deny","message":"No.","obligations":[{"kind":"upgrade","message":"See nova.example."}]"#,
                .deny(reason: "No. See nova.example.")
            ),
            (#""decision":"deny","message":"\u0007""#, .deny(reason: nil)),
            (#""decision":"deny","message":"a\u202Eb""#, .deny(reason: "ab")),
            (#""decision":"error""#, .unanswered), (#""decision":"perhaps""#, .unanswered),
            (#""decision":"permit","expiresIn":"60""#, .unanswered),
            (#""decision":"permit","expiresIn":-1"#, .unanswered),
            (#""decision":"permit","obligations":{}"#, .unanswered),
            (#""decision":"permit","obligations":[{}]"#, .unanswered),
            (#""decision":"permit","obligations":[{"kind":"maxRating"}]"#, .unanswered),
        ]
        for (item, expected) in items {
            #expect(self.decided(#"{"decisions":[{"id":"0",\#(item)}]}"#)?[0] == expected, "\(item)")
        }
        let long = String(repeating: "ä", count: 1000)
        #expect(
            self.decided(#"{"decisions":[{"id":"0","decision":"deny","message":"\#(long)"}]}"#)?[0]
                == .deny(reason: .init(String(long.prefix(256)))))
        // Which of two counts is not for us to say.
        let twice = #"{"decisions":[{"id":"0","decision":"permit"},{"id":"0","decision":"deny"}]}"#
        #expect(self.decided(twice) == [.unanswered, .unanswered, .unanswered])
        let foreign = #"{"decisions":[{"id":"7","decision":"permit"},{"id":1,"decision":"permit"},4]}"#
        #expect(self.decided(foreign) == [.unanswered, .unanswered, .unanswered])
        for answer in [
            "", "[]", #"{"decisions":[{"id":"0","decision":"deny","message":"\u0000"}]}"#, "{}", #"{"decisions":{}}"#,
            #"{"decisions":[],"decisions":[]}"#,
        ] {
            #expect(self.decided(answer) == nil, "\(answer)")
        }
    }

    @Test("that gives no answer, or garbage, is told apart for the operator")
    func trouble() async throws {
        let endless = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"decisions\":\""
        // A permit beside a status that says otherwise is none.
        let permit = #"{"decisions":[{"id":"0","decision":"permit"}]}"#
        let cases: [(ScriptedServer.Answer, ProviderError.Kind)] = [
            (.response(403, body: permit), .misconfigured), (.response(500, body: permit), .unreachable),
            (.response(503), .unreachable), (.response(429), .unreachable), (.response(401), .misconfigured),
            (.response(404), .misconfigured), (.response(302, headers: ["Location": "/"]), .misconfigured),
            (.response(200, body: "<html>garbage</html>"), .misconfigured), (.close, .unreachable),
            (.raw("garbage\r\n\r\n"), .unreachable),
            (.raw("HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n{"), .unreachable),
            (.raw(endless + String(repeating: "a", count: 1 << 20)), .unreachable),
        ]
        for (answer, expected) in cases {
            let server = try ScriptedServer { _ in answer }
            let error = await #expect(throws: ProviderError.self) {
                try await self.point(server.url).decide(Self.question, now: Self.now)
            }
            #expect(error?.kind == expected && error?.detail.contains("t0ken") == false, "\(answer)")
        }
    }

    @Test func `is shown this server's certificate, and decides nothing for one that it does not know`() async throws {
        let server = try await KnowingTLSServer(answer: #"{"decisions": [{"id": "1", "decision": "permit"}]}"#)
        var configuration = HTTPClient.Configuration()
        configuration.authorityFile = server.certificate
        configuration.identity = (server.certificate, server.key)
        let decisions = try await self.point(server.url, token: nil, configuration)
            .decide(Self.question, now: Self.now)
        #expect(decisions.map { $0 != .unanswered } == [false, true, false])
        for files: (String, String)? in [nil, (server.otherCertificate, server.otherKey)] {
            configuration.identity = files.map { ($0.0, $0.1) }
            await #expect(throws: ProviderError.self) {
                try await self.point(server.url, token: nil, configuration).decide(Self.question, now: Self.now)
            }
        }
    }

    @Test func `gets its time, and no more`() async throws {
        let gate = Gate()
        defer { gate.open() }
        let server = try ScriptedServer { _ in
            gate.wait()
            return .close
        }
        let error = await #expect(throws: ProviderError.self) {
            try await self.point(server.url, time: .milliseconds(100)).decide(Self.question, now: Self.now)
        }
        #expect(error?.kind == .unreachable && error?.detail.contains("no answer in time") == true)
    }
}

extension JSONValue {
    /// The same with the members of each object in the order of their names.
    fileprivate var ordered: JSONValue {
        switch self {
        case .object(let members):
            .object(members.map { Member($0.name, $0.value.ordered) }.sorted { $0.name < $1.name })
        case .array(let values): .array(values.map(\.ordered))
        case .string, .integer, .double, .boolean, .null: self
        }
    }
}
