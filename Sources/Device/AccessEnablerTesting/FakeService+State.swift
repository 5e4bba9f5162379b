import AccessEnabler
import Clientless
import HTTPClient
import Lifecycle
import TextCoding

struct FakeRequest: Sendable {
    let method: String
    let path: String
    let form: [String: String]
    let resources: [String]

    init(_ request: HTTPClient.Request) {
        self.method = request.method.rawValue
        let target = request.url.dropFirst(FakeTransport.base.utf8.count)
        self.path = String(target.prefix { $0 != "?" })
        let pairs = String(decoding: request.body ?? [], as: UTF8.self).split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (PercentCoding.decoded(parts[0]), parts.count == 2 ? PercentCoding.decoded(parts[1]) : "")
        }
        self.form = Dictionary(pairs) { first, _ in first }
        self.resources = pairs.filter { $0.0 == "resource_id" }.map(\.1)
    }

    /// "Signed in yet?"
    var isPoll: Bool { self.path == "/adobe-services/session" && self.form["reg_code"] != nil }
}

extension FakeService {
    struct State {
        let providers: [Provider]
        var isReachable = true
        var denied: [String: String] = [:]
        var calls: [String] = []
        var codeState = AccessEnabler.CodeState.waiting
        var reason: String?
        /// Whether a question that is asked next has something to learn at once.
        var hasNews = false
        /// Whether the box knows where its code stands: the first question is answered at once, as servers do that
        /// have something to tell.
        var isStateKnown = false
        var signedIn: String?
        /// The code on show.
        var polledCode: String?
        /// Raised by the operator; sign-ins of before are over.
        var revoked = 0
        /// How many questions are held, until ``change`` is given.
        var held = 0
        var change = StopSignal()
        var asked = StopSignal()
        var issued = 0

        /// Has the questions that are held answered. A change that no question waits for is told to the next one.
        mutating func release() {
            self.hasNews = self.held == 0
            self.held = 0
            self.change.give()
            self.change = StopSignal()
        }
    }
}

// The answers, as access-enabler 17 names them (sdk-services, rest-v1 10 to 12).
extension FakeService.State {
    mutating func answer(_ request: FakeRequest) -> HTTPClient.Response {
        self.calls.append("\(request.method) \(request.path)")
        switch (request.method, request.path) {
        case ("POST", "/o/client/register"):
            return Self.json(201, #"{"client_id":"\#(self.next("client"))","client_secret":"secret"}"#)
        case ("POST", "/o/client/token"):
            return Self.json(201, #"{"access_token":"\#(self.next("token"))","expires_in":86400}"#)
        case ("GET", let path) where path.hasPrefix("/api/v1/config/"):
            return self.configuration(String(path.dropFirst("/api/v1/config/".count)))
        case ("POST", let path) where path.hasSuffix("/regcode"): return self.code(request)
        case ("DELETE", let path) where path.hasPrefix("/reggie/v1/"): return HTTPClient.Response(status: 204)
        case ("POST", let path) where path.hasPrefix("/adobe-services/"):
            return self.service(String(path.dropFirst("/adobe-services/".count)), request)
        default: return HTTPClient.Response(status: 404)
        }
    }

    private mutating func next(_ name: String) -> String {
        self.issued += 1
        return "\(name)-\(self.issued)"
    }

    private func configuration(_ requestor: String) -> HTTPClient.Response {
        let providers = self.providers.map { provider -> JSONValue in
            ["id": .string(provider.id), "displayName": .string(provider.displayName), "logoUrl": ""]
        }
        return Self.json(
            200, #"{"requestor":{"id":"\#(requestor)","mvpds":{"mvpd":\#(JSONValue.array(providers).text)}}}"#)
    }

    private mutating func code(_ request: FakeRequest) -> HTTPClient.Response {
        // A word of the test from before the code was asked for counts for this one.
        if !self.hasNews { (self.codeState, self.reason) = (.waiting, nil) }
        self.polledCode = nil
        self.isStateKnown = false
        self.issued += 1
        let codes = ["7KQ4M2X", "BCDFGHJ", "KLMNPQR", "STVWXZ2"]
        let record = JSONValue.members([
            "code": .string(codes[self.issued % codes.count]), "expires": .integer(Self.end),
            "info": ["registrationURL": .string("\(FakeTransport.base)/activate")],
            "mvpd": request.form["mvpd"].map { .string($0) },
        ])
        return Self.json(201, record.text)
    }

    private mutating func service(_ name: String, _ request: FakeRequest) -> HTTPClient.Response {
        let provider = request.form["mso_id"] ?? self.providers.first?.id ?? ""
        if let token = request.form["authentication_token"], !token.contains("guid-r\(self.revoked)-") {
            return Self.xml(200, "<pendingLogout/>")
        }
        switch name {
        case "session" where request.isPoll: return self.pollAnswer(request)
        case "session", "passive", "platform", "temporary": return Self.xml(401, Self.error("N000", ""))
        case "authorize": return self.authorize(request, provider)
        case "shortAuthorize": return Self.xml(200, self.mediaToken(request, provider))
        case "preauthorize": return self.preauthorize(request.resources)
        case "usermetadata": return Self.json(200, #"{"updated":1,"encrypted":[],"data":{}}"#)
        case "logout": return HTTPClient.Response(status: 204)
        default: return HTTPClient.Response(status: 404)
        }
    }

    private mutating func pollAnswer(_ request: FakeRequest) -> HTTPClient.Response {
        let response: HTTPClient.Response
        let state = self.codeState
        switch state {
        case .completed:
            let provider = self.signedIn ?? self.providers.first?.id ?? ""
            let token = self.authenticationToken(request.form["requestor_id"] ?? "", provider)
            response = Self.xml(200, "<result><authnToken>\(XMLText.escaped(token))</authnToken></result>")
        case .waiting, .loggingIn, .confirming: response = Self.xml(401, Self.error("N000", ""))
        case .declined, .cancelled, .expired:
            response = Self.xml(410, Self.error("N130", ""))
            self.codeState = .waiting
        }
        var headers = response.headers
        headers["Preference-Applied"] = "wait=50"
        headers["Latchkey-Code-State"] = state.rawValue
        headers["Latchkey-Provider-Reason"] = self.reason.map { PercentCoding.encoded($0) }
        return HTTPClient.Response(status: response.status, headers: headers, body: response.body)
    }

    private func authorize(_ request: FakeRequest, _ provider: String) -> HTTPClient.Response {
        let resource = request.form["resource_id"] ?? ""
        if let words = self.denied[resource] { return Self.xml(200, Self.error("Z100", words)) }
        let token = """
            <signatureInfo>c2lnbmVk</signatureInfo><simpleAuthorizationToken>\
            <simpleTokenRequestorID>\(request.form["requestor_id"] ?? "")</simpleTokenRequestorID>\
            <simpleTokenResourceID>\(XMLText.escaped(resource))</simpleTokenResourceID>\
            <simpleTokenTTL>\(Self.date)</simpleTokenTTL><simpleTokenMsoID>\(provider)</simpleTokenMsoID>\
            <simpleTokenDeviceID><simpleTokenFingerprint>f</simpleTokenFingerprint></simpleTokenDeviceID>\
            </simpleAuthorizationToken>
            """
        return Self.xml(200, "<result><authzToken>\(XMLText.escaped(token))</authzToken></result>")
    }

    private mutating func mediaToken(_ request: FakeRequest, _ provider: String) -> String {
        """
        <signatureInfo>bWVkaWE=</signatureInfo><shortAuthorizationToken><sessionGUID>\(self.next("media"))\
        </sessionGUID><requestorID>\(request.form["requestor_id"] ?? "")</requestorID><resourceID>r</resourceID>\
        <ttl>300000</ttl><issueTime>\(Self.date)</issueTime><mvpdId>\(provider)</mvpdId><proxyMvpdId></proxyMvpdId>\
        </shortAuthorizationToken>
        """
    }

    private func preauthorize(_ resources: [String]) -> HTTPClient.Response {
        let items = resources.map { resource -> JSONValue in
            ["id": .string(resource), "authorized": .boolean(self.denied[resource] == nil)]
        }
        return Self.json(200, #"{"resources":\#(JSONValue.array(items).text)}"#)
    }

    private mutating func authenticationToken(_ requestor: String, _ provider: String) -> String {
        """
        <signatureInfo>c2lnbmVk</signatureInfo><simpleAuthenticationToken>\
        <simpleTokenAuthenticationGuid>\(self.next("guid-r\(self.revoked)"))</simpleTokenAuthenticationGuid>\
        <simpleTokenRequestorID>\(requestor)</simpleTokenRequestorID>\
        <simpleTokenDomainName>fake.invalid</simpleTokenDomainName>\
        <simpleTokenExpires>\(Self.date)</simpleTokenExpires><simpleTokenMsoID>\(provider)</simpleTokenMsoID>\
        <simpleTokenDeviceID><simpleTokenFingerprint>f</simpleTokenFingerprint></simpleTokenDeviceID>\
        </simpleAuthenticationToken>
        """
    }

    /// The year 2099; in milliseconds since 1970, and as token documents have it.
    private static let end: Int64 = 4_070_908_800_000
    private static let date = "2099/01/01 00:00:00 GMT +0000"

    private static func error(_ code: String, _ details: String) -> String {
        "<error><code>\(code)</code><message>No</message><details>\(XMLText.escaped(details))</details></error>"
    }

    private static func json(_ status: Int, _ body: String) -> HTTPClient.Response {
        HTTPClient.Response(status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    private static func xml(_ status: Int, _ body: String) -> HTTPClient.Response {
        HTTPClient.Response(status: status, headers: ["Content-Type": "application/xml"], body: Array(body.utf8))
    }
}
