import Clientless
import Entitlement
import HTTPClient
import TestSupport
import Testing

@testable import ServerAPI
import WireAnswers

@Suite("Enhanced errors on the wire", .wire, .timeLimit(.minutes(5)))
struct EnhancedErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let condition: Condition
        let method: HTTPClient.Method
        let target: String
        let caller: StatusRow.Caller
        let status: Int
        let code: String
        let action: String
        let message: String
        let details: Details

        /// - Parameter target: below `/api/v1` unless it begins with a slash.
        init(
            _ condition: Condition, _ target: String, method: HTTPClient.Method = .get,
            by caller: StatusRow.Caller = .box, _ status: Int, _ code: String, _ action: String, _ message: String,
            _ details: Details = .absent
        ) {
            self.condition = condition
            self.method = method
            self.target = StatusRow.path(target)
            self.caller = caller
            self.status = status
            self.code = code
            self.action = action
            self.message = message
            self.details = details
        }

        var testDescription: String { "\(self.condition): \(self.method.rawValue) \(self.target) is \(self.code)" }
    }

    enum Details: Sendable {
        case absent, null
        case text(String)
    }

    enum Condition: Sendable {
        case fresh, signedIn, knownViewer, expired, authorized, authorizationExpired, refused, down, trialOver,
            slowClock
    }

    @Test(arguments: Self.rows) func `say what to do, in either form`(_ row: Row) async throws {
        try await Self.prepare(row.condition)
        for form in StatusTableTests.Form.allCases {
            let answer = try await Self.ask(row, form).expect(row.status)
            let trace = try #require(answer.headers["Adobe-Request-Id"])
            #expect(answer.text == (form == .json ? Self.json(row, trace) : Self.xml(row, trace)))
            #expect(answer.headers["Content-Type"] == "application/\(form.rawValue);charset=utf-8")
        }
    }

    @Test func `are for those alone who opted in`() async throws {
        for target in [
            "checkauthn?deviceId=d", "authorize?deviceId=d&resource=x", "tokens/usermetadata?deviceId=d",
        ] {
            #expect(try await !wire.signed(.get, "/api/v1/\(target)&requestor=NORTHSPORT").text.contains("helpUrl"))
            #expect(try await wire.signed(.get, "/api/v1/\(target)&requestor=LOUDSPORT").text.contains("helpUrl"))
        }
        // A page that asks by code gets them as `preauthorize/{code}` gives them.
        let page = try await wire.call(.get, "/api/v1/checkauthn/BCDFGHJ.json?requestor=LOUDSPORT")
        #expect(page.text.contains(#""code":"authentication_session_missing","message":"Forbidden","helpUrl""#))
        try await wire.call(.get, "/api/v1/checkauthn/BCDFGHJ.json?requestor=NORTHSPORT").expect(
            403, message: "Forbidden")
        try await wire.call(.get, "/reggie/v1/LOUDSPORT/regcode/BCDFGHJ.json").expect(404, message: "Not Found")
    }

    @Test("lead to a page that explains every code and action, in the viewer's language around them")
    func help() async throws {
        let answer = try await wire.call(.get, "/help/errors", headers: ["Accept-Language": "de"]).expect(
            200, headers: ["Content-Type": "text/html; charset=utf-8"])
        #expect(answer.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(answer.text.contains("<h1>Fehlercodes</h1>"))
        for action in ErrorAction.allCases { #expect(answer.text.contains("<div id=\"\(action.rawValue)\">")) }
        for code in ErrorCode.allCases {
            #expect(answer.text.contains("<div id=\"\(code.rawValue)\"><dt><code>\(code.rawValue)</code>"))
            #expect(answer.text.contains(code.explanation.replacing("'", with: "&#39;")))
        }
    }

    @Test func `come with the bearer's own codes`() async throws {
        let forged = try await wire.call(
            .get, "/api/v1/checkauthn.json?deviceId=d&requestor=LOUDSPORT", token: "a.b.c"
        ).expect(401)
        #expect(forged.value("code") == "invalid_access_token_signature")
        #expect(forged.value("action") == "application-registration")
        #expect(forged.value("error") == "access_denied")
        let token = try await wire.accessToken()
        wire.clock.advance(by: .seconds(21_600 + 60))
        let expired = try await wire.call(
            .get, "/api/v1/checkauthn.json?deviceId=d&requestor=LOUDSPORT", token: token
        ).expect(401)
        #expect(expired.value("code") == "access_token_expired")
        #expect(expired.headers["WWW-Authenticate"] == "Bearer error=\"invalid_token\"")
    }
}

extension EnhancedErrorTests {
    private static func prepare(_ condition: Condition) async throws {
        if condition == .knownViewer { wire.provider.setMetadata(WireFixture.viewer) }
        switch condition {
        case .fresh: return
        case .slowClock: return
        case .trialOver: return try await self.startTrial()
        case .signedIn, .knownViewer, .expired, .authorized, .authorizationExpired, .refused, .down:
            try await wire.signedInDevice(requestor: WireFixture.loud)
        }
        switch condition {
        case .expired: wire.clock.advance(by: .seconds(30 * 24 * 3600))
        case .authorized: try await wire.authorize("North Sport HD", for: WireFixture.loud)
        case .authorizationExpired:
            try await wire.authorize("North Sport HD", for: WireFixture.loud)
            wire.clock.advance(by: .seconds(24 * 3600))
        case .refused: try await wire.add(.authzNone, WireFixture.loud, message: "Off the air.")
        case .down: wire.provider.setDown(true)
        case .fresh, .signedIn, .knownViewer, .trialOver, .slowClock: break
        }
    }

    private static func startTrial() async throws {
        let target =
            "/api/v1/authenticate/freepreview?deviceId=box-1&requestor=LOUDSPORT&mso_id=FreeHour"
            + "&domain_name=north-sport.example"
        #expect(try await wire.signed(.post, target).status == 204)
        try await wire.authorize("Other", for: WireFixture.loud)
        wire.clock.advance(by: .seconds(3600))
        #expect(try await wire.signed(.post, target).status == 204)
    }

    private static func ask(_ row: Row, _ form: StatusTableTests.Form) async throws -> WireAnswer {
        let accept = form == .json ? "application/json" : "*/*"
        if row.condition == .slowClock {
            let time = String((wire.clock.now - .seconds(901)).milliseconds)
            return try await wire.call(
                row.method, row.target,
                headers: ["Accept": accept, "Authorization": wire.signature("GET", "/checkauthn", time: time)])
        }
        switch row.caller {
        case .box: return try await wire.signed(row.method, row.target, accept: accept)
        case .page: return try await wire.call(row.method, row.target, headers: ["Accept": accept])
        case .broken:
            return try await wire.call(
                row.method, row.target, headers: ["Accept": accept, "Authorization": "GET nonsense"])
        case .foreign:
            return try await wire.signed(
                row.method, row.target, accept: accept, requestor: WireFixture.foreign,
                keyPair: WireFixture.foreignKeyPair)
        }
    }

    private static func json(_ row: Row, _ trace: String) -> String {
        let details =
            switch row.details {
            case .absent: ""
            case .null: #","details":null"#
            case .text(let text): #","details":"\#(text)""#
            }
        return #"{"action":"\#(row.action)","status":\#(row.status),"code":"\#(row.code)","message":"\#(row.message)""#
            + details + #","helpUrl":"https://tve.example.net/help/errors","trace":"\#(trace)"}"#
    }

    private static func xml(_ row: Row, _ trace: String) -> String {
        // Two answers spell it differently in XML (rest-v1 14.3, 15.2).
        let isToken = row.target.contains("/tokens/auth") && row.message == "Not Found"
        var details = ""
        if case .text(let text) = row.details { details = "<details>\(text)</details>" }
        return StatusAnswer.declaration + "<error><action>\(row.action)</action><status>\(row.status)</status>"
            + "<code>\(row.code)</code><message>\(isToken ? "Not found" : row.message)</message>\(details)"
            + "<helpUrl>https://tve.example.net/help/errors</helpUrl><trace>\(trace)</trace></error>"
    }
}
