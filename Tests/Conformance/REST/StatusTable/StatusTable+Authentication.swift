import HTTPClient

// Checks, tokens, logout, trials, platform SSO (rest-v1 13.5, 14, 18, 20.2, 21).
extension StatusTable {
    static let token = StatusAnswer.document(
        json: #"{"requestor":"NORTHSPORT","mvpd":"CableNova","userId":"{user}","expires":"1769817600000"}"#,
        xml: "<authentication><expires>1769817600000</expires><userId>{user}</userId><mvpd>CableNova</mvpd>"
            + "<requestor>NORTHSPORT</requestor></authentication>")

    static let checks: [StatusRow] = [
        StatusRow("13.5", .signedIn, "authenticate/{code}?requestor=NORTHSPORT", Self.token),
        StatusRow("13.5", .code, "authenticate/{code}?requestor=NORTHSPORT", .error(404, "Not Found")),
        StatusRow("13.5", .login, "authenticate/{code}?requestor=NORTHSPORT", .error(404, "Not Found")),
        StatusRow("13.5", .fresh, "authenticate/{code}?requestor=NORTHSPORT", .error(404, "Not Found")),
        StatusRow("13.5", .signedIn, "authenticate/{code}?requestor=WESTSPORT", .error(404, "Not Found")),
        StatusRow("13.5", .code, "authenticate/{code}?requestor=NOBODY", .error(400, "Invalid requestor")),
        StatusRow("13.5", .code, "authenticate/{code}?requestor=NORTHSPORT", by: .page, .notAuthorized),
        StatusRow("13.5", .code, "authenticate/{code}?requestor=NORTHSPORT", by: .foreign, .forbidden),

        StatusRow("14.1", .code, "checkauthn/{code}?requestor=NORTHSPORT", by: .page, .forbidden),
        StatusRow("14.1", .fresh, "checkauthn/{code}?requestor=NORTHSPORT", by: .page, .forbidden),
        StatusRow("14.1", .declined, "checkauthn/{code}?requestor=NORTHSPORT", by: .page, .forbidden),
        StatusRow("14.1", .signInExpired, "checkauthn/{code}?requestor=NORTHSPORT", by: .page, .forbidden),
        StatusRow("14.1", .signedIn, "checkauthn/{code}?requestor=WESTSPORT", by: .page, .forbidden),
        StatusRow("14.1", .code, "checkauthn/{code}", by: .page, .missing("requestor")),
        StatusRow("14.1", .code, "checkauthn/{code}?requestor=NOBODY", by: .page, .error(400, "Invalid requestor")),

        StatusRow("14.2", .fresh, "checkauthn?\(device)", .error(403, "Authentication token not found")),
        StatusRow("14.2", .signInExpired, "checkauthn?\(device)", .error(403, "Authentication token expired")),
        StatusRow("14.2", .signedIn, "checkauthn?requestor=NORTHSPORT", .missing("deviceId")),
        StatusRow("14.2", .signedIn, "checkauthn?\(device)", by: .page, .notAuthorized),
        StatusRow("14.2", .signedIn, "checkauthn?\(device)", by: .broken, .notAuthorized),
        StatusRow("14.2", .signedIn, "checkauthn?\(device)", by: .foreign, .forbidden),
        StatusRow("14.2", .storeGone, "checkauthn?\(device)", .error(503, "Service Unavailable")),
    ]

    static let tokens: [StatusRow] = [
        StatusRow("14.3", .signedIn, "tokens/authn?\(device)", Self.token),
        StatusRow("14.3", .signedIn, "tokens/authn?\(device)&resource=stray", Self.token),
        StatusRow("14.3", .fresh, "tokens/authn?\(device)", .error(404, "Not Found", xml: "Not found")),
        StatusRow("14.3", .signInExpired, "tokens/authn?\(device)", .error(410, "Gone")),
        StatusRow("14.3", .signedIn, "tokens/authn?requestor=NORTHSPORT", .missing("deviceId")),
        StatusRow("14.3", .signedIn, "tokens/authn?deviceId=box-1&requestor=NOBODY", .error(400, "Invalid requestor")),
        StatusRow("14.3", .signedIn, "tokens/authn?\(device)", by: .page, .notAuthorized),
        StatusRow("14.3", .signedIn, "tokens/authn?\(device)", by: .foreign, .forbidden),
    ]

    static let logout: [StatusRow] = [
        StatusRow("18", .signedIn, "logout?deviceId=box-1", method: .delete, .empty()),
        StatusRow("18", .fresh, "logout?\(device)", method: .delete, .empty()),
        StatusRow("18", .signedIn, "logout.json?deviceId=box-1", method: .delete, .empty()),
        StatusRow("18", .signedIn, "logout?deviceId=box-1&format=xml", method: .delete, .empty()),
        StatusRow("18", .signedIn, "logout", method: .delete, .missing("deviceId")),
        StatusRow("18", .signedIn, "logout?\(device)", method: .delete, by: .page, .notAuthorized),
        StatusRow("18", .signedIn, "logout?\(device)", method: .delete, by: .foreign, .forbidden),
    ]

    private static func preview(_ changes: [String: String] = [:]) -> String {
        let values = [
            ("requestor_id", "FULLSPORT"), ("deviceId", "box-1"), ("mso_id", "FreeHour"),
            ("domain_name", "full-sport.example"), ("generic_data", ""),
        ]
        return values.map { "\($0.0)=\(changes[$0.0] ?? $0.1)" }.joined(separator: "&")
    }

    private static let freePreview = "/api/v1/authenticate/freepreview"

    static let trials: [StatusRow] = [
        StatusRow("20.2", .fresh, freePreview, body: preview(), .empty()),
        StatusRow("20.2", .fresh, freePreview + "?" + preview(), body: "{}", .empty()),
        StatusRow("20.2", .trial, freePreview, body: preview(), .empty()),
        StatusRow("20.2", .trialOver, freePreview, body: preview(), .empty()),
        StatusRow(
            "20.2", .fresh, freePreview,
            body: preview(["mso_id": "FreePick", "generic_data": "%7B%22email%22%3A%22f7ee%22%7D"]), .empty()),
        StatusRow(
            "20.2", .fresh, freePreview, body: preview(["mso_id": "FreePick", "generic_data": "(\"email\":\"f7ee\")"]),
            .empty()),
        StatusRow("20.2", .fresh, freePreview, body: preview(["mso_id": "FreePick"]), .missing("generic_data")),
        StatusRow(
            "20.2", .fresh, freePreview, body: preview(["mso_id": "FreePick", "generic_data": "f7ee"]),
            .error(400, "Invalid generic_data")),
        StatusRow(
            "20.2", .fresh, freePreview, body: preview(["mso_id": "FreePick", "generic_data": "{\"phone\":\"1\"}"]),
            .error(400, "Invalid generic_data")),
        StatusRow("20.2", .fresh, freePreview, body: preview(["deviceId": ""]), .missing("deviceId")),
        StatusRow("20.2", .fresh, freePreview, body: preview(["mso_id": ""]), .missing("mso_id")),
        StatusRow("20.2", .fresh, freePreview, body: preview(["domain_name": ""]), .missing("domain_name")),
        StatusRow("20.2", .fresh, freePreview, body: preview(["mso_id": "CableNova"]), .error(400, "Invalid mso_id")),
        StatusRow("20.2", .fresh, freePreview, body: preview(["mso_id": "NoSuch"]), .error(400, "Invalid mso_id")),
        StatusRow(
            "20.2", .fresh, freePreview,
            body: preview(["requestor_id": "NORTHSPORT", "domain_name": "north-sport.example"]),
            .error(400, "Invalid mso_id")),
        StatusRow(
            "20.2", .fresh, freePreview, body: preview(["domain_name": "evil.example"]),
            .error(400, "Invalid domain_name")),
        StatusRow(
            "20.2", .fresh, freePreview, body: preview(["requestor_id": "NOBODY"]), .error(400, "Invalid requestor")),
        StatusRow("20.2", .fresh, freePreview, body: preview(), by: .page, .notAuthorized),
        StatusRow("20.2", .fresh, freePreview, body: preview(), by: .foreign, .forbidden),
        StatusRow("3.3", .fresh, freePreview + "?" + preview(), .notAllowed),
    ]

    private static func profile(_ requestor: String, _ mvpd: String, _ query: String = "?deviceType=tvOS") -> String {
        "/api/v1/\(requestor)/profile-requests/\(mvpd)\(query)"
    }

    private static func exchange(_ changes: [String: String] = [:]) -> String {
        let values = [
            ("requestor", "FULLSPORT"), ("deviceId", "box-1"), ("mvpd", "CableNova"), ("deviceType", "iOS"),
            ("SAMLResponse", "YWNjZXB0ZWQgMQ%3D%3D"),
        ]
        return values.map { "\($0.0)=\(changes[$0.0] ?? $0.1)" }.joined(separator: "&")
    }

    static let platform: [StatusRow] =
        [
            StatusRow(
                "21.1", .fresh, profile("FULLSPORT", "CableNova"),
                .bytes("<AuthnRequest ID=\"_1\"/>", "application/octet-stream")),
            StatusRow(
                "21.1", .fresh, profile("FULLSPORT", "CableNova.json", "?deviceType=iOS&format=json"),
                .bytes("<AuthnRequest ID=\"_1\"/>", "application/octet-stream")),
            StatusRow("21.1", .fresh, profile("FULLSPORT", "CableNova", ""), .missing("deviceType")),
            StatusRow(
                "21.1", .fresh, profile("FULLSPORT", "CableNova", "?deviceType=Roku"),
                .error(400, "Invalid deviceType")),
            StatusRow("21.1", .fresh, profile("FULLSPORT", "NoSuch"), .error(400, "Invalid mvpd")),
            StatusRow("21.1", .fresh, profile("FULLSPORT", "DishNova"), .error(400, "Invalid mvpd")),
            StatusRow("21.1", .fresh, profile("NORTHSPORT", "CableNova"), .error(400, "Invalid mvpd")),
            StatusRow("21.1", .fresh, profile("NOBODY", "CableNova"), .error(400, "Invalid requestor")),
            // The fixed names of Appendix B are nobody's.
            StatusRow("21.1", .fresh, profile("tokens", "CableNova"), .error(400, "Invalid requestor")),
            StatusRow("21.1", .fresh, profile("FULLSPORT", "CableNova"), by: .page, .notAuthorized),
            StatusRow("21.1", .fresh, profile("FULLSPORT", "CableNova"), by: .foreign, .forbidden),

            StatusRow("21.2", .fresh, "tokens/authn", body: exchange(), .empty()),
            StatusRow("21.2", .signedIn, "tokens/authn?" + exchange(), method: .post, .empty()),
            StatusRow(
                "21.2", .fresh, "tokens/authn", body: exchange(["SAMLResponse": "cmVmdXNlZA=="]),
                .error(400, "Invalid SAMLResponse")),
            StatusRow(
                "21.2", .fresh, "tokens/authn", body: exchange(["SAMLResponse": "%00%FF"]),
                .error(400, "Invalid SAMLResponse")),
            StatusRow(
                "21.2", .fresh, "tokens/authn", body: exchange(["mvpd": "DishNova"]), .error(400, "Invalid mvpd")),
            StatusRow(
                "21.2", .fresh, "tokens/authn", body: exchange(["deviceType": "Roku"]),
                .error(400, "Invalid deviceType")),
            StatusRow("21.2", .fresh, "tokens/authn", body: exchange(), by: .page, .notAuthorized),
            StatusRow("21.2", .fresh, "tokens/authn", body: exchange(), by: .foreign, .forbidden),
        ]
        + ["deviceId", "mvpd", "deviceType", "SAMLResponse"].map {
            StatusRow("21.2", .fresh, "tokens/authn", body: exchange([$0: ""]), .missing($0))
        }
}
