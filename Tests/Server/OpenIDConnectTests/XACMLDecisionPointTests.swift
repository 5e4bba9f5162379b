import Clientless
import Cryptography
import HTTPClient
import OpenIDConnect
import TestSupport
import Testing

@testable import Entitlement
@testable import Providers

@Suite("A provider's authorization endpoint in XACML", .timeLimit(.minutes(5)))
struct XACMLDecisionPointTests {
    private static let now = TestClock.start
    private static let issuer = "https://tv.example"

    private func point(_ url: String, time: Duration = .seconds(2)) -> XACMLDecisionPoint {
        XACMLDecisionPoint(
            AuthorizationCall("\(url)/decide", token: Secret("t0ken"), time: time, exchange: HTTPClient(.init())),
            issuer: Self.issuer)
    }

    private func question(_ resources: String...) -> DecisionQuestion {
        DecisionQuestion(
            requestor: RequestorID("NORTHSPORT")!, viewer: "v-1", resources: resources.map { Resource($0)! })
    }

    private struct Answer {
        var results: String
        var request = "_1"
        var status = "Success"
        var conditions = ""
        var statement = "urn:oasis:names:tc:xacml:2.0:profile:saml2.0:v2:schema:assertion"
        var assertions = 1

        var text: String {
            let assertion = """
                <a:Assertion ID="_3" IssueInstant="2026-01-01T00:00:00Z" Version="2.0">\
                <a:Issuer>https://pdp.example</a:Issuer>\(self.conditions)\
                <x:XACMLAuthzDecisionStatement xmlns:x="\(self.statement)"><c:Response>\(self.results)</c:Response>\
                </x:XACMLAuthzDecisionStatement></a:Assertion>
                """
            return """
                <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>\
                <p:Response xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" \
                xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion" \
                xmlns:c="urn:oasis:names:tc:xacml:2.0:context:schema:os" \
                xmlns:o="urn:oasis:names:tc:xacml:2.0:policy:schema:os" \
                ID="_2" InResponseTo="\(self.request)" IssueInstant="2026-01-01T00:00:00Z" Version="2.0">\
                <p:Status><p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:\(self.status)"/></p:Status>\
                \(String(repeating: assertion, count: self.assertions))</p:Response></s:Body></s:Envelope>
                """
        }
    }

    private static func result(
        _ decision: String, on resource: String? = "Sport", message: String? = nil, _ obligations: String = ""
    ) -> String {
        let id = resource.map { " ResourceId=\"\($0)\"" } ?? ""
        let status = message.map { "<c:Status><c:StatusMessage>\($0)</c:StatusMessage></c:Status>" } ?? ""
        let list = obligations.isEmpty ? "" : "<o:Obligations>\(obligations)</o:Obligations>"
        return "<c:Result\(id)><c:Decision>\(decision)</c:Decision>\(status)\(list)</c:Result>"
    }

    private static func obligation(
        _ name: String, on decision: String = "Permit", _ values: [(String, String)] = []
    ) -> String {
        let assignments = values.map { "<o:AttributeAssignment AttributeId=\"\($0)\">\($1)</o:AttributeAssignment>" }
        return """
            <o:Obligation ObligationId="\(name)" FulfillOn="\(decision)">\(assignments.joined())</o:Obligation>
            """
    }

    private func read(_ answer: Answer) -> XACMLAnswer? {
        try? XACMLAnswer(Array(answer.text.utf8), to: "_1", for: Self.issuer, now: Self.now)
    }

    private func decided(_ results: String) -> Decision? {
        self.read(Answer(results: results))?.decisions(on: ["Sport"], now: Self.now)[0]
    }

    private static func id(of request: ScriptedServer.Request) -> String {
        let parts = request.text.split(separator: " ID=\"", maxSplits: 1)
        return parts.count == 2 ? String(parts[1].prefix { $0 != "\"" }) : ""
    }

    @Test("is asked in an envelope, on one connection, with a resource for each channel, and answers item by item")
    func exchange() async throws {
        let server = try ScriptedServer { request in
            let results =
                Self.result("Deny", on: "Film", message: "Not in your package.") + Self.result("Permit", on: "Sport")
            return .response(200, body: Answer(results: results, request: Self.id(of: request)).text)
        }
        let point = self.point(server.url)
        for _ in 0..<2 {
            let decisions = try await point.decide(self.question("Sport", "News", "Film"), now: Self.now)
            #expect(decisions == [.permit, .unanswered, .deny(reason: "Not in your package.")])
        }
        let requests = server.requests
        #expect(requests.map(\.positionOnConnection) == [0, 1], "the connection stays")
        #expect(Self.id(of: requests[0]) != Self.id(of: requests[1]))
        #expect(requests[0].headers["authorization"] == "Bearer t0ken")
        #expect(requests[0].headers["content-type"] == "text/xml; charset=utf-8")
        let asked = try SAMLLogoutRules.content(
            of: try SAMLDocument(SAMLText(requests[0].body, maximumSize: 65_536)).root)
        #expect(asked.name == "XACMLAuthzDecisionQuery")
        #expect(asked[attribute: "Destination"] == "\(server.url)/decide")
        #expect(asked.onlyChild(.assertionElement("Issuer"))?.plainText == Self.issuer)
        var values: [String] = []
        asked.visit { if $0.name == "AttributeValue" { values.append($0.text) } }
        #expect(values == ["v-1", "Sport", "News", "Film", "VIEW", "NORTHSPORT"])
    }

    @Test func `is asked about two items of one channel in two questions`() async throws {
        func item(_ rating: String) -> String {
            """
            <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Sport</title><item>\
            <media:rating scheme="urn:v-chip">\(rating)</media:rating></item></channel></rss>
            """
        }
        let server = try ScriptedServer { request in
            let word = request.text.contains("tv-ma") ? "Deny" : "Permit"
            return .response(200, body: Answer(results: Self.result(word), request: Self.id(of: request)).text)
        }
        let decisions = try await self.point(server.url).decide(
            self.question(item("tv-g"), item("tv-ma")), now: Self.now)
        #expect(decisions == [.permit, .deny(reason: nil)])
        #expect(server.requests.count == 2)
        #expect(server.requests[0].text.contains("content:rating:vchip"))
    }

    @Test(
        "decides in four words; a sentence, a hint and an end come with them, and an obligation that is not known denies"
    )
    func results() {
        let (again, more) = ("urn:cablelabs:olca:1.0:obligations:re-authz", "urn:tve:xacml:2.0:obligations:upgrade")
        let household = Self.obligation("urn:tve:xacml:2.0:obligations:restrict-pc")
        let limit = "urn:latchkey:xacml:obligations:max-rating"
        let vchip = "urn:cablelabs:olca:1.0:attribute:content:rating:vchip"
        let cases: [(String, Decision)] = [
            (Self.result("Permit"), .permit), (Self.result("Permit", on: nil), .permit),
            (Self.result("Permit", message: "ok"), .permit), (Self.result("Deny", message: "OK"), .deny(reason: nil)),
            (Self.result("NotApplicable"), .deny(reason: nil)), (Self.result("Indeterminate"), .unanswered),
            (Self.result("permit"), .unanswered), (Self.result("Permit", on: "News"), .unanswered),
            // Which of two counts is not for us to say.
            (Self.result("Permit") + Self.result("Deny"), .unanswered),
            (Self.result("Permit", on: nil) + Self.result("Deny", on: nil), .unanswered),
            (Self.result("Permit", Self.obligation("urn:cablelabs:olca:1.0:obligations:log")), .permit),
            (Self.result("Permit", Self.obligation(again, [("n", "30")])), .permitted(until: Self.now + .seconds(30))),
            (Self.result("Permit", Self.obligation(again, [("n", "-1")])), .unanswered),
            (Self.result("Permit", Self.obligation(again)), .unanswered),
            (Self.result("Permit", household), .restricted(to: .map([]), needsHousehold: true, until: nil)),
            (Self.result("Deny", household.replacing("Permit", with: "Deny")), .denyByHousehold(reason: nil)),
            (
                Self.result("Permit", household + Self.obligation(limit, [(vchip, "tv-14")])),
                .restricted(to: .map([NamedText("VCHIP", "tv-14")]), needsHousehold: true, until: nil)
            ),
            (Self.result("Permit", Self.obligation("urn:example:watermark")), .deny(reason: nil)),
            (Self.result("Permit", Self.obligation("urn:example:watermark", on: "Deny")), .permit),
            (Self.result("Permit", Self.obligation("urn:example:watermark", on: "Always")), .unanswered),
            (
                Self.result("Deny", message: "No.", Self.obligation(more, on: "Deny", [("m", "See nova.example.")])),
                .deny(reason: "No. See nova.example.")
            ),
            (
                Self.result("Permit", Self.obligation(limit, [(vchip, "tv-14")])),
                .restricted(to: .map([NamedText("VCHIP", "tv-14")]), until: nil)
            ),
            (Self.result("Permit", Self.obligation(limit, [(vchip, "12")])), .deny(reason: nil)),
            (Self.result("Permit", Self.obligation(limit)), .deny(reason: nil)),
            (Self.result("Permit", Self.obligation(limit, [("rating", "tv-14")])), .unanswered),
        ]
        for (result, expected) in cases { #expect(self.decided(result) == expected, "\(result)") }
    }

    @Test("is believed for its own question, for this server and in its time alone; the time ends the permit")
    func conditions() {
        let start = (Self.now - .seconds(60)).timeText
        func conditions(from start: String, until end: Timestamp, for audience: String = Self.issuer) -> String {
            """
            <a:Conditions NotBefore="\(start)" NotOnOrAfter="\(end.timeText)"><a:AudienceRestriction>\
            <a:Audience>\(audience)</a:Audience></a:AudienceRestriction></a:Conditions>
            """
        }
        let good = Answer(results: Self.result("Permit"))
        #expect(self.read(good)?.decisions(on: ["Sport"], now: Self.now) == [.permit])
        var first = good
        first.statement = "urn:oasis:xacml:2.0:saml:assertion:schema:os"
        #expect(self.read(first) != nil)
        var timed = good
        timed.conditions = conditions(from: start, until: Self.now + .seconds(600))
        #expect(
            self.read(timed)?.decisions(on: ["Sport"], now: Self.now)
                == [.permitted(until: Self.now + .seconds(600) + AssertionRules.leeway)])
        let later = (Self.now + .seconds(600)).timeText
        let changes: [(inout Answer) -> Void] = [
            { $0.request = "_9" }, { $0.status = "Responder" }, { $0.assertions = 2 }, { $0.assertions = 0 },
            { $0.statement = "urn:example" }, { $0.conditions = "<a:Conditions NotOnOrAfter=\"soon\"/>" },
            { $0.conditions = conditions(from: start, until: Self.now - .seconds(120)) },
            { $0.conditions = conditions(from: later, until: Self.now + .seconds(900)) },
            { $0.conditions = conditions(from: start, until: Self.now + .seconds(60), for: "https://b.example") },
        ]
        for (number, change) in changes.enumerated() {
            var answer = good
            change(&answer)
            #expect(self.read(answer) == nil, "change \(number)")
        }
    }

    @Test("is read without a document type, without comments and within bounds")
    func bounds() {
        let text = Answer(results: Self.result("Permit")).text
        let bad = [
            "<!DOCTYPE s [<!ENTITY e \"Permit\">]>\(text)", text.replacing("Permit", with: "Per<!-- -->mit"),
            text.replacing("Permit<", with: "&e;<"), String(text.dropLast()), "",
            text.replacing("<c:Response>", with: "<c:Response>" + String(repeating: "<c:Result/>", count: 20_000)),
            text.replacing("Permit<", with: String(repeating: "x", count: 1 << 20) + "<"),
        ]
        for text in bad {
            let answer = try? XACMLAnswer(Array(text.utf8), to: "_1", for: Self.issuer, now: Self.now)
            #expect(answer == nil, "\(text.prefix(80))")
        }
    }

    @Test func `is tried out with a question about nothing, whatever it decides of that`() async throws {
        let server = try ScriptedServer { request in
            .response(200, body: Answer(results: "", request: Self.id(of: request), status: "Requester").text)
        }
        try await self.point(server.url).tryOut(now: Self.now)
        #expect(server.requests[0].text.contains("AttributeId=\"urn:oasis:names:tc:xacml:1.0:subject") == false)
    }

    @Test("that is silent, or answers garbage, is told apart for the operator, and permits nothing")
    func trouble() async throws {
        let gate = Gate()
        defer { gate.open() }
        let cases: [(ScriptedServer.Script, ProviderError.Kind)] = [
            ({ _ in .response(500, body: "<fault/>") }, .unreachable), ({ _ in .response(401) }, .misconfigured),
            ({ _ in .response(200, body: "<html/>") }, .misconfigured), ({ _ in .close }, .unreachable),
            ({ _ in .response(200, body: Answer(results: Self.result("Permit")).text) }, .misconfigured),
            (
                { _ in
                    gate.wait()
                    return .close
                }, .unreachable
            ),
        ]
        for (script, expected) in cases {
            let server = try ScriptedServer(script: script)
            let error = await #expect(throws: ProviderError.self) {
                try await self.point(server.url, time: .milliseconds(300)).decide(
                    self.question("Sport"), now: Self.now)
            }
            #expect(error?.kind == expected && error?.detail.contains("t0ken") == false)
        }
    }
}
