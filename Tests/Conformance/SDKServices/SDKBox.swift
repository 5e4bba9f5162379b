import Clientless
import HTTPClient
import Lending
import Testing
import WireAnswers

/// A box that speaks the library's protocol, as deployed clients do: it matches what it wants out of one line of text.
struct SDKBox: Sendable {
    @TaskLocal static var current: SDKBox?

    let wire: WireFixture
    let token: String
    var device: String? = "box-1"
    var requestor = WireFixture.requestor
    var pass: String?

    init(_ wire: WireFixture, application: String = WireFixture.sharedApplication) async throws {
        self.wire = wire
        self.token = try await wire.accessToken(for: application)
    }

    /// The same box as another of its parts or properties have it.
    func with(_ change: (inout SDKBox) -> Void) -> SDKBox {
        var box = self
        change(&box)
        return box
    }

    func call(
        _ operation: String, _ parameters: [(String, String)] = [], headers more: HTTPClient.Headers = [:]
    ) async throws -> WireAnswer {
        var headers: HTTPClient.Headers = ["Authorization": "Bearer \(self.token)"]
        if let device = self.device { headers.append("ap_21", device) }
        if let pass = self.pass { headers.append("pass_sfp", pass) }
        for field in more.fields { headers[field.name] = field.value }
        let body = Self.form([("requestor_id", self.requestor.text)] + parameters)
        let path = operation.hasPrefix("/") ? operation : "/adobe-services/\(operation)"
        return try await self.wire.call(.post, path, headers: headers, body: body)
    }

    func session(_ code: String, headers: HTTPClient.Headers = [:]) async throws -> WireAnswer {
        try await self.call("session", [("_method", "GET"), ("reg_code", code)], headers: headers)
    }

    func authorize(_ token: String, _ resource: String = "North Sport HD") async throws -> WireAnswer {
        try await self.call(
            "authorize",
            [
                ("resource_id", resource), ("authentication_token", token), ("mso_id", "CableNova"), ("userMeta", "1"),
            ])
    }

    func mediaToken(_ authorization: String) async throws -> WireAnswer {
        try await self.call("shortAuthorize", [("authz_token", authorization), ("hashed_guid", "false")])
    }

    /// Signs in with a code, and picks the token up.
    func signIn(mvpd: MVPDID = WireFixture.provider) async throws -> String {
        let code = try await self.wire.code(of: self.device ?? "box-1", requestor: self.requestor)
        try await self.wire.signIn(code, mvpd: mvpd, requestor: self.requestor)
        let answer = try await self.session(code).expect(200)
        return try answer.document("authnToken")
    }

    static func form(_ parameters: [(String, String)]) -> String {
        parameters.map { "\(self.encoded($0.0))=\(self.encoded($0.1))" }.joined(separator: "&")
    }

    static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                encoded.append(Character(Unicode.Scalar(byte)))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}

var box: SDKBox { SDKBox.$current.lent() }

extension Trait where Self == Lending<SDKBox> {
    /// A box at the wire of the test. A test that names a wire of its own names this again.
    static var box: Self { Lending(SDKBox.$current) { try await $0(SDKBox(ConformanceTests.wire)) } }
}

extension WireAnswer {
    /// What stands between the tags, as `<tag>(.+?)</tag>` finds it and with what deployed clients put back.
    func document(_ tag: String) throws -> String {
        let found = try #require(
            try Regex("<\(tag)>(.+?)</\(tag)>").firstMatch(in: self.text)?.output[1].substring, "\(self.text)")
        return String(found).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }

    /// Whether this is the `<error>` of sdk-services 1 with that status, code and, if given, details.
    func isError(_ status: Int, _ code: String, details: String? = nil) -> Bool {
        guard self.status == status, (try? self.document("code")) == code, !self.text.contains("\n"),
            self.headers["Content-Type"] == "application/xml;charset=utf-8",
            self.text.replacing("<notAuthorized/>", with: "").hasPrefix(
                "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?><error><code>"),
            let message = try? self.document("message"), !message.isEmpty,
            let said = try? self.document("details"), !said.isEmpty
        else { return false }
        return details == nil || details == said
    }

    /// Whether this is the one answer that makes a box drop its tokens.
    var isPendingLogout: Bool { self.status == 200 && self.text == "<pendingLogout/>" }
}
