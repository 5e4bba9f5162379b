import Entitlement
import HTTPClient
import Testing
import WireAnswers

@Suite("Preauthorization on the wire", .wire, .timeLimit(.minutes(5)))
struct PreauthorizationTests {
    private static let device = "deviceId=box-1&requestor=LOUDSPORT"

    @Test func `gives opted-in requestors a reason for each lock, in the order of the question`() async throws {
        let code = try await wire.signedInDevice(requestor: WireFixture.loud)
        for target in [
            "/api/v1/preauthorize?\(Self.device)&resource=North%20Sport%202,North%20Sport%20HD",
            "/api/v1/preauthorize/\(code)?requestor=LOUDSPORT&resource=North%20Sport%202,North%20Sport%20HD",
        ] {
            let json = try await wire.signed(.get, target)
            let trace = try #require(json.headers["Adobe-Request-Id"])
            #expect(json.status == 200)
            #expect(
                json.text
                    == #"{"resources":[{"id":"North Sport 2","authorized":false,"error":{"status":403,"#
                    + #""code":"authorization_denied_by_mvpd","message":"User not authorized","#
                    + #""details":"North Sport 2 is not part of your package.","#
                    + #""helpUrl":"https://tve.example.net/help/errors","trace":"\#(trace)","action":"none"}},"#
                    + #"{"id":"North Sport HD","authorized":true}]}"#)
            let xml = try await wire.signed(.get, target, accept: "*/*")
            let traceXML = try #require(xml.headers["Adobe-Request-Id"])
            #expect(
                xml.text == StatusAnswer.declaration
                    + "<resources><resource><id>North Sport 2</id><authorized>false</authorized><error>"
                    + "<status>403</status><code>authorization_denied_by_mvpd</code>"
                    + "<message>User not authorized</message>"
                    + "<details>North Sport 2 is not part of your package.</details>"
                    + "<helpUrl>https://tve.example.net/help/errors</helpUrl><trace>\(traceXML)</trace>"
                    + "<action>none</action></error></resource><resource><id>North Sport HD</id>"
                    + "<authorized>true</authorized></resource></resources>")
            for answer in [json, xml] { #expect(answer.headers["Adobe-Response-Confidence"] == "full") }
        }
    }

    @Test func `names what kept the provider from answering, and the programmer's own rules`() async throws {
        try await wire.signedInDevice(requestor: WireFixture.loud)
        let target = "/api/v1/preauthorize?\(Self.device)&resource=North%20Sport%20HD"
        wire.provider.setDown(true)
        let down = try await wire.signed(.get, target).expect(200)
        #expect(down.value("code") == "network_received_error")
        #expect(down.value("action") == "retry")
        try await wire.add(.authzNone, WireFixture.loud, message: "")
        let refused = try await wire.signed(.get, target)
        #expect(refused.value("code") == "authorization_denied_by_programmer")
        #expect(refused.value("details") == nil)
    }

    @Test func `of fifty resources needs neither store nor provider the second time, and keeps nothing`() async throws {
        try await wire.signedInDevice(requestor: WireFixture.full)
        let names = (0..<49).map { "Channel%20\($0)" } + ["North%20Sport%20HD"]
        let target =
            "/api/v1/preauthorize?deviceId=box-1&requestor=FULLSPORT&resource=" + names.joined(separator: ",")
        #expect(try await wire.signed(.get, target).status == 200)
        var reads: [Int] = []
        var questions: [Int] = []
        for _ in 0..<5 {
            let before = (wire.store.statistics, wire.provider.decisions)
            let answer = try await wire.signed(.get, target)
            #expect(
                answer.text.hasSuffix(
                    #"{"id":"Channel 48","authorized":false},{"id":"North Sport HD","authorized":true}]}"#))
            #expect(answer.text.count(of: "\"authorized\":false") == 49)
            let after = (wire.store.statistics, wire.provider.decisions)
            reads.append(Int(after.0.reads - before.0.reads))
            #expect(after.0.accepted == before.0.accepted)
            questions.append(after.1 - before.1)
        }
        // The device and the viewer's channels are in memory, once the news of the sign-in came. Reads that keep memory up
        // to date may come between.
        #expect(reads.min() == 0, "\(reads)")
        #expect(questions.min() == 0, "\(questions)")
        try await wire.signed(
            .get, "/api/v1/tokens/authz?deviceId=box-1&requestor=FULLSPORT&resource=North%20Sport%20HD"
        ).expect(404)
        #expect(try await wire.signed(.get, target + ",one-more").status == 403)
    }

    @Test func `asks each requestor's own limit about a list that another one sent`() async throws {
        try await wire.signedInDevice(requestor: WireFixture.full)
        for (requestor, status) in [("LOUDSPORT", 403), ("FULLSPORT", 200), ("LOUDSPORT", 403)] {
            let target = "/api/v1/preauthorize?deviceId=box-1&requestor=\(requestor)&resource=a,b,c,d,own%20list"
            let answer = try await wire.signed(.get, target).expect(status)
            #expect(status != 200 || answer.text.count(of: "\"authorized\":") == 5)
        }
    }

    @Test func `counts wrong codes as guesses`() async throws {
        let code = try await wire.signedInDevice()
        func ask(_ code: String) async throws -> WireAnswer {
            try await wire.call(.get, "/api/v1/preauthorize/\(code).json?requestor=NORTHSPORT&resource=a")
        }
        for letter in "BCDFGHJKLMNPQRSTVWXZ" { try await ask("BCDFGH\(letter)").expect(412) }
        try await ask("BCDFGJB").expect(429, headers: ["Retry-After": "600"])
        // The code of a box in the caller's own network is looked up whatever else was tried.
        try await ask(code).expect(200)
    }
}

extension String {
    fileprivate func count(of text: String) -> Int { self.ranges(of: text).count }
}
