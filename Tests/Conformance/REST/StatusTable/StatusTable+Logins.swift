import HTTPClient

// Codes, provider list, logins (rest-v1 11 to 13).
extension StatusTable {
    private static let create = "/reggie/v1/NORTHSPORT/regcode"
    private static let read = "/reggie/v1/NORTHSPORT/regcode/{code}"

    private static let record = StatusAnswer.document(
        201,
        json: #"{"id":"{id}","code":"{code}","requestor":"NORTHSPORT","generated":1767225600000,"#
            + #""expires":1767227400000,"info":{"deviceId":"Ym94LTE=","deviceType":null,"deviceUser":null,"#
            + #""appId":null,"appVersion":null,"registrationURL":"https://tve.example.net/activate"}}"#,
        xml: #"<ns2:regcode xmlns:ns2="model.mvc.reggie.pass.adobe.com"><id>{id}</id><code>{code}</code>"#
            + "<requestor>NORTHSPORT</requestor><mvpd/><generated>1767225600000</generated>"
            + "<expires>1767227400000</expires><info><deviceId>Ym94LTE=</deviceId>"
            + "<registrationURL>https://tve.example.net/activate</registrationURL></info></ns2:regcode>")

    static let codes: [StatusRow] = [
        StatusRow("11.1", .fresh, Self.create, body: "deviceId=box-1", Self.record),
        StatusRow("11.1", .fresh, Self.create, body: "deviceId=", .missing("deviceId")),
        StatusRow("11.1", .fresh, Self.create, body: "deviceId=box-1&ttl=36001", .error(400, "Invalid ttl")),
        StatusRow("11.1", .fresh, "/reggie/v1/NOBODY/regcode", body: "deviceId=d", .error(400, "Invalid requestor")),
        StatusRow("11.1", .fresh, Self.create, body: "deviceId=box-1", by: .page, .notAuthorized),
        StatusRow("11.1", .fresh, Self.create, body: "deviceId=box-1", by: .broken, .notAuthorized),
        StatusRow("11.1", .fresh, Self.create, body: "deviceId=box-1", by: .foreign, .forbidden),
        StatusRow("11.1", .storeGone, Self.create, body: "deviceId=box-1", .error(503, "Service Unavailable")),
        StatusRow("11.2", .fresh, Self.read, by: .page, .error(404, "Not Found")),
        StatusRow("11.2", .declined, Self.read, by: .page, .error(404, "Not Found")),
        StatusRow("11.2", .code, "/reggie/v1/WESTSPORT/regcode/{code}", by: .page, .error(404, "Not Found")),
        StatusRow("11.2", .storeGone, Self.read, by: .page, .error(503, "Service Unavailable")),
        StatusRow("11.3", .code, Self.read, method: .delete, .empty()),
        StatusRow("11.3", .fresh, Self.read, method: .delete, .empty()),
        StatusRow("11.3", .code, "/reggie/v1/regcode/{code}", method: .delete, .empty()),
        StatusRow("11.3", .code, Self.read, method: .delete, by: .page, .notAuthorized),
        StatusRow("11.3", .code, Self.read, method: .delete, by: .foreign, .forbidden),
    ]

    static let configuration: [StatusRow] = [
        StatusRow("12", .fresh, "config/NOBODY", by: .page, .error(400, "Invalid requestor")),
        StatusRow("12", .fresh, "config/NOBODY", by: .broken, .error(400, "Invalid requestor")),
    ]

    private static func login(_ change: (String, String)? = nil) -> String {
        let values = [
            ("reg_code", "{code}"), ("requestor_id", "NORTHSPORT"), ("mso_id", "CableNova"),
            ("domain_name", "north-sport.example"), ("noflash", "true"), ("no_iframe", "true"),
            ("redirect_url", "https%3A%2F%2Fnorth-sport.example%2Fdone"),
        ]
        return "/api/v1/authenticate?"
            + values.map { "\($0.0)=\($0.0 == change?.0 ? change?.1 ?? "" : $0.1)" }.joined(separator: "&")
    }

    static let logins: [StatusRow] =
        [
            StatusRow("13.1", .code, Self.login(), by: .page, .redirect("/activate/sign-in?attempt=")),
            StatusRow("13.1", .code, Self.login(), method: .post, by: .page, .redirect("/activate/sign-in?attempt=")),
            StatusRow("13.1", .code, Self.login(), by: .broken, .redirect("/activate/sign-in?attempt=")),
            StatusRow("13.1", .login, Self.login(), by: .page, .redirect("/activate/sign-in?attempt=")),
            StatusRow(
                "13.1", .loginSkipped, Self.login(), method: .post, by: .page, .redirect("/activate/confirm?attempt=")),
            StatusRow("13.1", .fresh, Self.login(), by: .page, .error(400, "Invalid reg_code")),
            StatusRow("13.1", .signedIn, Self.login(), by: .page, .error(400, "Invalid reg_code")),
            StatusRow("13.1", .declined, Self.login(), by: .page, .error(400, "Invalid reg_code")),
            StatusRow("13.1", .signInExpired, Self.login(), by: .page, .error(400, "Invalid reg_code")),
            StatusRow(
                "13.1", .code, Self.login(("mso_id", "FreeHour")), by: .page,
                .redirect("https://north-sport.example/done")),
            StatusRow(
                "13.1", .code, Self.login(("mso_id", "NoSuch")), by: .page,
                .redirect("https://north-sport.example/done")),
            StatusRow(
                "13.1", .code, Self.login(("domain_name", "evil.example")), by: .page,
                .error(400, "Invalid domain_name")),
            StatusRow(
                "13.1", .code, Self.login(("redirect_url", "https://evil.example/")), by: .page,
                .error(400, "Invalid redirect_url")),
            StatusRow(
                "13.1", .code, Self.login(("requestor_id", "NOBODY")), by: .page, .error(400, "Invalid requestor")),
            StatusRow("13.1", .storeGone, Self.login(), by: .page, .error(503, "Service Unavailable")),
        ]
        + ["reg_code", "requestor_id", "mso_id", "domain_name", "redirect_url"].map {
            StatusRow("13.1", .code, Self.login(($0, "")), by: .page, .missing($0))
        }

    static let callbacks: [StatusRow] = [
        StatusRow(
            "13.4", .fresh, "/sp/saml/SAMLAssertionConsumer", body: "SAMLResponse=eA&RelayState=x", by: .page,
            .error(400, "Invalid RelayState")),
        StatusRow(
            "13.4", .fresh, "/sp/saml/SAMLAssertionConsumer", body: "RelayState=x", by: .page,
            .missing("SAMLResponse")),
        StatusRow(
            "13.4", .fresh, "/sp/saml/SAMLAssertionConsumer", body: "SAMLResponse=eA", by: .page,
            .missing("RelayState")),
        StatusRow("3.3", .fresh, "/sp/saml/SAMLAssertionConsumer", by: .page, .notAllowed),
        StatusRow("own", .fresh, "/sp/logout/Nowhere", body: "", by: .page, .missing("logout_token")),
        StatusRow("own", .fresh, "/sp/logout/Nowhere", body: "logout_token=x", by: .page, .error(404, "Not Found")),
        StatusRow("own", .fresh, "/sp/logout/Nowhere?iss=x", by: .page, .missing("sid")),
        StatusRow("own", .fresh, "/sp/logout/Nowhere?SAMLRequest=eA", by: .page, .error(404, "Not Found")),
        StatusRow("own", .fresh, "/sp/logout/Nowhere/soap", body: "<a/>", by: .page, .error(404, "Not Found")),
        StatusRow("own", .fresh, "/sp/metadata/Nowhere", by: .page, .error(404, "Not Found")),
        StatusRow("13.4", .fresh, "/adobe-services/oauth2?code=c&state=s", by: .page, .error(400, "Invalid state")),
        StatusRow(
            "13.4", .fresh, "/adobe-services/oauth2?error=access_denied&state=s", by: .page,
            .error(400, "Invalid state")),
        StatusRow("13.4", .fresh, "/adobe-services/oauth2?code=c", by: .page, .missing("state")),
        StatusRow("13.4", .fresh, "/adobe-services/oauth2?state=s", by: .page, .missing("code")),
        StatusRow(
            "13.4", .fresh, "/sp/saml/LogoutServiceHTTPRedirectResponse?SAMLResponse=eA&RelayState=x", by: .page,
            .redirect("/", 303)),
        StatusRow("13.4", .fresh, "/sp/saml/LogoutServiceHTTPRedirectResponse", by: .page, .missing("SAMLResponse")),
    ]
}
