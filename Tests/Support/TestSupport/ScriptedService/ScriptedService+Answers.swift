// What a scripted service answers when the test says nothing else.
extension ScriptedService.State {
    private typealias Answer = ScriptedServer.Answer

    mutating func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
        switch (request.method, request.path) {
        case ("POST", "/o/client/register"):
            self.issued += 1
            return self.json(201, #"{"client_id":"client-\#(self.issued)","client_secret":"secret-\#(self.issued)"}"#)
        case ("POST", "/o/client/token"):
            self.token += 1
            return self.json(201, #"{"access_token":"token-\#(self.token)","expires_in":21600}"#)
        case ("GET", let path) where path.hasPrefix("/api/v1/config/"): return self.configuration(path)
        case ("POST", let path) where path.hasSuffix("/regcode"): return self.code(request)
        case ("DELETE", let path) where path.hasPrefix("/reggie/v1/"): return .response(204)
        case ("GET", let path) where path.contains("/profile-requests/"):
            return .response(200, headers: self.headers, body: "<AuthnRequest/>")
        case ("POST", let path) where path.hasPrefix("/adobe-services/"):
            return self.service(String(path.dropFirst("/adobe-services/".count)), request)
        default: return .response(404, headers: self.headers)
        }
    }

    /// `POST session` for a code (sdk-services 3).
    mutating func pollAnswer(_ request: ScriptedServer.Request, isHeld: Bool) -> ScriptedServer.Answer {
        var headers = self.headers
        if isHeld { headers["Preference-Applied"] = request.headers["prefer"] }
        if self.behaviour.tellsState {
            headers["Latchkey-Code-State"] = self.codeState
            headers["Latchkey-Provider-Reason"] = self.reason
            if self.isOpened { headers["Latchkey-Code-Opened"] = "true" }
        }
        switch self.codeState {
        case "completed":
            let body = self.session(request.form["requestor_id"] ?? "", self.signedIn ?? "CableNova")
            return .response(200, headers: headers, body: body)
        case "waiting", "loggingIn", "confirming":
            return .response(401, headers: headers, body: Self.error("N000", "Not signed in yet."))
        default: return .response(410, headers: headers, body: Self.error("N130", self.codeState))
        }
    }

    private func configuration(_ path: String) -> ScriptedServer.Answer {
        let id = String(path.dropFirst("/api/v1/config/".count))
        guard self.behaviour.requestors.contains(id) else {
            return self.json(400, #"{"status":400,"message":"Invalid requestor"}"#)
        }
        let providers = self.behaviour.providers.map(\.json).joined(separator: ",")
        return self.json(
            200,
            """
            {"requestor":{"id":"\(id)","domains":{"domain":[{"name":"demo.example"}]},\
            "mvpds":{"mvpd":[\(providers)]},"metadata":{\(self.behaviour.requestorMetadata)}}}
            """)
    }

    private mutating func code(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
        let page = self.behaviour.registrationURL.map { #""\#($0)""# } ?? "null"
        self.issued += 1
        // A test may have said before what becomes of the code.
        if self.codeState == "completed" { self.codeState = "waiting" }
        self.signedIn = nil
        let codes = ["7KQ4M2X", "BCDFGHJ", "KLMNPQR", "STVWXZ2"]
        let code = codes[self.issued % 4]
        let short = self.behaviour.shortOrigin.map { ["Latchkey-Short-URL": "\($0)/G/\(code)"] } ?? [:]
        self.isOpened = false
        let provider = request.form["mvpd"].map { #""mvpd":"\#($0)","# } ?? ""
        return self.json(
            201,
            """
            {"id":"x","code":"\(code)","requestor":"NORTHSPORT",\(provider)"generated":1,\
            "expires":\(self.behaviour.codeExpires),"info":{"deviceId":"ZA==","registrationURL":\(page)}}
            """, short)
    }

    private mutating func service(_ name: String, _ request: ScriptedServer.Request) -> ScriptedServer.Answer {
        let form = request.form
        let requestor = form["requestor_id"] ?? ""
        let provider = form["mso_id"] ?? ""
        if self.revoked, form["authentication_token"] != nil || form["authz_token"] != nil {
            let headers = self.ending.map { ["Latchkey-Sign-In-Ending": $0] } ?? [:]
            return .response(200, headers: self.headers.merging(headers) { $1 }, body: "<pendingLogout/>")
        }
        switch name {
        case "session": return self.xml(401, Self.error("N000", "Not signed in."))
        case "temporary":
            if self.behaviour.exhausted.contains(provider) { return self.xml(403, Self.error("N111", "Used up.")) }
            return self.xml(200, self.session(requestor, provider))
        case "platform":
            guard self.behaviour.allowsPlatform else { return self.xml(403, Self.error("N500", "Not accepted.")) }
            return self.xml(200, self.session(requestor, provider))
        case "profile":
            guard self.behaviour.allowsProfile else { return self.xml(403, Self.error("403", "Not agreed.")) }
            return self.xml(200, "<result><profile>YQ.YQ</profile></result>")
        case "passive":
            guard self.behaviour.allowsPassive else { return self.xml(409, Self.error("N000", "Not possible.")) }
            return self.xml(200, self.session(requestor, provider))
        case "authorize": return self.authorize(form["resource_id"] ?? "", requestor, provider)
        case "shortAuthorize": return self.xml(200, self.mediaToken())
        case "preauthorize": return self.preauthorize(request.values("resource_id"))
        case "usermetadata":
            return self.behaviour.userMetadata.map { self.json(200, $0) } ?? self.xml(404, Self.error("N000", "None."))
        case "boxes": return self.behaviour.boxes.map { self.json(200, $0) } ?? .response(404, headers: self.headers)
        case "boxLogout":
            guard let box = form["box"], self.behaviour.boxes?.contains("\"\(box)\"") == true else {
                return self.xml(404, Self.error("404", "The viewer has no such box."))
            }
            return .response(204, headers: self.headers)
        case "logout":
            guard let url = self.behaviour.logoutURL else { return .response(204, headers: self.headers) }
            return self.xml(200, "<result><logoutUrl>\(escaped(url))</logoutUrl></result>")
        default: return .response(404, headers: self.headers)
        }
    }

    private func authorize(_ resource: String, _ requestor: String, _ provider: String) -> ScriptedServer.Answer {
        guard self.behaviour.permitted?.contains(resource) ?? true else {
            let refusal = self.behaviour.refusal
            return self.xml(
                200,
                "<error><code>\(refusal.code)</code><message>User not authorized</message>"
                    + "<details>\(escaped(refusal.details))</details></error>")
        }
        let document = """
            <signatureInfo>c2lnbmVk</signatureInfo><simpleAuthorizationToken>\
            <simpleTokenRequestorID>\(requestor)</simpleTokenRequestorID>\
            <simpleTokenResourceID>\(escaped(resource))</simpleTokenResourceID>\
            <simpleTokenTTL>\(self.behaviour.permitExpires)</simpleTokenTTL>\
            <simpleTokenMsoID>\(provider)</simpleTokenMsoID>\
            <simpleTokenDeviceID><simpleTokenFingerprint>f</simpleTokenFingerprint></simpleTokenDeviceID>\
            </simpleAuthorizationToken>
            """
        let metadata = self.behaviour.userMetadata.map { "<userMeta>\(escaped($0))</userMeta>" } ?? ""
        return self.xml(200, "<result><authzToken>\(escaped(document))</authzToken>\(metadata)</result>")
    }

    private mutating func mediaToken() -> String {
        self.issued += 1
        return """
            <signatureInfo>bWVkaWE=</signatureInfo><shortAuthorizationToken><sessionGUID>c1f0-\(self.issued)\
            </sessionGUID><requestorID>NORTHSPORT</requestorID><resourceID>r</resourceID><ttl>420000</ttl>\
            <issueTime>2026/01/01 00:00:00 GMT +0000</issueTime><mvpdId>CableNova</mvpdId><proxyMvpdId></proxyMvpdId>\
            </shortAuthorizationToken>
            """
    }

    private func preauthorize(_ resources: [String]) -> ScriptedServer.Answer {
        guard resources.count <= self.behaviour.preauthorizationLimit else {
            return self.json(403, #"{"status":403,"code":"too_many_resources","message":"Too many resources"}"#)
        }
        let items = resources.map { resource in
            let isPermitted = self.behaviour.permitted?.contains(resource) ?? true
            let error =
                isPermitted
                ? ""
                : #","error":{"status":403,"code":"authorization_denied_by_mvpd","message":"No","action":"none"}"#
            return #"{"id":"\#(resource)","authorized":\#(isPermitted)\#(error)}"#
        }
        return self.json(200, #"{"resources":[\#(items.joined(separator: ","))]}"#)
    }

    /// A session document (sdk-services 3).
    private mutating func session(_ requestor: String, _ provider: String) -> String {
        self.issued += 1
        let document = """
            <signatureInfo>c2lnbmVk</signatureInfo><simpleAuthenticationToken>\
            <simpleTokenAuthenticationGuid>guid-\(self.issued)</simpleTokenAuthenticationGuid>\
            <simpleTokenRequestorID>\(requestor)</simpleTokenRequestorID>\
            <simpleTokenDomainName>demo.example</simpleTokenDomainName>\
            <simpleTokenExpires>\(self.behaviour.tokenExpires)</simpleTokenExpires>\
            <simpleTokenMsoID>\(provider)</simpleTokenMsoID>\
            <simpleTokenDeviceID><simpleTokenFingerprint>f</simpleTokenFingerprint></simpleTokenDeviceID>\
            <simpleSamlNameID>n</simpleSamlNameID><simpleSamlSessionIndex>s</simpleSamlSessionIndex>\
            </simpleAuthenticationToken>
            """
        let metadata = self.behaviour.userMetadata.map { "<userMeta>\(escaped($0))</userMeta>" } ?? ""
        return "<result><authnToken>\(escaped(document))</authnToken>\(metadata)</result>"
    }

    private var headers: [String: String] { self.behaviour.date.map { ["Date": $0] } ?? [:] }

    private func json(_ status: Int, _ body: String, _ more: [String: String] = [:]) -> ScriptedServer.Answer {
        let headers = ["Content-Type": "application/json;charset=utf-8"].merging(more) { $1 }
        return .response(status, headers: self.headers.merging(headers) { $1 }, body: body)
    }

    private func xml(_ status: Int, _ body: String) -> ScriptedServer.Answer {
        .response(
            status, headers: self.headers.merging(["Content-Type": "application/xml;charset=utf-8"]) { $1 }, body: body)
    }

    private static func error(_ code: String, _ details: String) -> String {
        "<error><code>\(code)</code><message>No</message><details>\(details)</details></error>"
    }
}

private func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
        switch character {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        default: escaped.append(character)
        }
    }
    return escaped
}
