import HTTPClient

// Decisions, media tokens, preauthorization, metadata (rest-v1 15, 16, 17, 19), and methods (3.3).
extension StatusTable {
    private static let decision = StatusAnswer.document(
        json: #"{"mvpd":"CableNova","resource":"North Sport HD","requestor":"NORTHSPORT","expires":"1767312000000"}"#,
        xml: "<authorization><expires>1767312000000</expires><mvpd>CableNova</mvpd><requestor>NORTHSPORT</requestor>"
            + "<resource>North Sport HD</resource></authorization>")

    /// What every endpoint that takes a resource says of bad calls.
    private static func badCalls(_ section: String, _ path: String) -> [StatusRow] {
        [
            StatusRow(
                section, .signedIn, "\(path)?requestor=NORTHSPORT&resource=x",
                .refusal(400, "Required 'deviceId' is not present")),
            StatusRow(section, .signedIn, "\(path)?\(device)", .refusal(400, "Required 'resource' is not present")),
            StatusRow(
                section, .signedIn, "\(path)?deviceId=box-1&requestor=NOBODY&resource=x",
                .refusal(400, "Invalid requestor")),
            StatusRow(section, .signedIn, "\(path)?\(question)", by: .page, .notAuthorized),
            StatusRow(section, .signedIn, "\(path)?\(question)", by: .broken, .notAuthorized),
            StatusRow(section, .signedIn, "\(path)?\(question)", by: .foreign, .forbidden),
        ]
    }

    /// What a resource that is no document is answered.
    private static func badDocument(_ section: String, _ path: String) -> StatusRow {
        StatusRow(
            section, .signedIn, "\(path)?\(device)&resource=%3Crss%3E%3Cchannel/%3E%3C/rss%3E",
            .refusal(400, "Invalid resource"))
    }

    static let authorization: [StatusRow] =
        [
            StatusRow("15.1", .signedIn, "authorize?\(question)", Self.decision),
            StatusRow("15.1", .signedIn, "authorize", body: question, Self.decision),
            StatusRow("15.1", .authorized, "authorize?\(question)", Self.decision),
            StatusRow(
                "15.1", .signedIn, "authorize?\(device)&resource=Other",
                .refusal(403, "User not authorized", details: "Other is not part of your package.")),
            StatusRow(
                "15.1", .providerDown, "authorize?\(question)",
                .refusal(403, "User not authorized", details: "The TV provider could not be reached.")),
            StatusRow(
                "15.1", .refusedByProgrammer, "authorize?\(question)",
                .document(
                    403, json: #"{"status":403,"message":"User not authorized","details":"Off \"air\" & <dark>."}"#,
                    xml: "<error><status>403</status><message>User not authorized</message>"
                        + "<details>Off \"air\" &amp; &lt;dark&gt;.</details></error>")),
            StatusRow(
                "15.1", .trialOver, "authorize?deviceId=box-1&requestor=FULLSPORT&resource=x",
                .refusal(403, "User not authorized")),
            StatusRow("15.1", .fresh, "authorize?\(question)", .error(403, "User not authenticated")),
            StatusRow("15.1", .signInExpired, "authorize?\(question)", .error(403, "User not authenticated")),
            Self.badDocument("15.1", "/api/v1/authorize"),
        ] + Self.badCalls("15.1", "/api/v1/authorize")

    static let storedAuthorization: [StatusRow] =
        [
            StatusRow("15.2", .authorized, "tokens/authz?\(question)", Self.decision),
            StatusRow("15.2", .fresh, "tokens/authz?\(question)", .refusal(412, "User not authenticated")),
            StatusRow("15.2", .signInExpired, "tokens/authz?\(question)", .refusal(412, "User not authenticated")),
            StatusRow("15.2", .signedIn, "tokens/authz?\(question)", .refusal(404, "Not Found", xml: "Not found")),
            StatusRow("15.2", .authorizationExpired, "tokens/authz?\(question)", .refusal(410, "Gone")),
            Self.badDocument("15.2", "/api/v1/tokens/authz"),
        ] + Self.badCalls("15.2", "/api/v1/tokens/authz")

    static let mediaTokens: [StatusRow] = ["/api/v1/tokens/media", "/api/v1/mediatoken"].flatMap { path in
        [
            StatusRow(
                "16", .authorized, "\(path)?\(question)",
                .document(
                    json: #"{"resource":"North Sport HD","requestor":"NORTHSPORT","expires":"1767226020000","#
                        + #""serializedToken":"{serializedToken}","userId":"{user}","mvpdId":"CableNova"}"#,
                    xml: "<play><expires>1767226020000</expires><mvpdId>CableNova</mvpdId>"
                        + "<requestor>NORTHSPORT</requestor><resource>North Sport HD</resource>"
                        + "<serializedToken>{serializedToken}</serializedToken><userId>{user}</userId></play>")),
            StatusRow("16", .signedIn, "\(path)?\(question)", .refusal(403, "User not authorized")),
            StatusRow("16", .authorizationExpired, "\(path)?\(question)", .refusal(403, "User not authorized")),
            StatusRow("16", .authorized, "\(path)?\(device)&resource=Other", .refusal(403, "User not authorized")),
            StatusRow("16", .fresh, "\(path)?\(question)", .error(403, "User not authenticated")),
            StatusRow("16", .signInExpired, path, body: question, .error(403, "User not authenticated")),
            Self.badDocument("16", path),
        ] + Self.badCalls("16", path)
    }

    private static func locks(_ items: [(String, Bool)]) -> StatusAnswer {
        .document(
            json: "{\"resources\":["
                + items.map { "{\"id\":\"\($0.0)\",\"authorized\":\($0.1)}" }.joined(separator: ",") + "]}",
            xml: "<resources>"
                + items.map { "<resource><id>\($0.0)</id><authorized>\($0.1)</authorized></resource>" }.joined()
                + "</resources>")
    }

    private static let list = "resource=North%20Sport%20HD,%20North+Sport+2,,North%20Sport%20HD"
    private static let mixed = Self.locks([("North Sport HD", true), ("North Sport 2", false)])
    private static let locked = Self.locks([("North Sport HD", false), ("North Sport 2", false)])

    static let preauthorization: [StatusRow] =
        [
            StatusRow("17", .signedIn, "preauthorize?\(device)&\(list)&ttl=5&appId=", Self.mixed),
            StatusRow("17", .signedIn, "preauthorize", body: "\(device)&\(list)", Self.mixed),
            StatusRow("17", .providerDown, "preauthorize?\(device)&\(list)", Self.locked),
            StatusRow("17", .refusedByProgrammer, "preauthorize?\(device)&\(list)", Self.locked),
            StatusRow(
                "17", .trial, "preauthorize?deviceId=box-1&requestor=FULLSPORT&resource=a,b",
                Self.locks([("a", true), ("b", true)])),
            StatusRow(
                "17", .trialOver, "preauthorize?deviceId=box-1&requestor=FULLSPORT&resource=a",
                Self.locks([("a", false)])),
            StatusRow("17", .fresh, "preauthorize?\(device)&\(list)", .refusal(412, "User not authenticated")),
            StatusRow("17", .signInExpired, "preauthorize?\(device)&\(list)", .refusal(412, "User not authenticated")),
            StatusRow(
                "17", .signedIn, "preauthorize?\(device)&resource=a,b,c,d,e,f", .refusal(403, "Too many resources")),
            StatusRow(
                "17", .signedIn, "preauthorize?\(device)&resource=,%20,",
                .refusal(400, "Required 'resource' is not present")),
            StatusRow("17", .signedIn, "preauthorize?\(device)&resource=%3Crss/%3E", .refusal(400, "Invalid resource")),

            StatusRow("17", .signedIn, "preauthorize/{code}?requestor=NORTHSPORT&\(list)", by: .page, Self.mixed),
            StatusRow(
                "17", .signedIn, "preauthorize/{code}", body: "requestor=NORTHSPORT&\(list)", by: .page, Self.mixed),
            StatusRow(
                "17", .code, "preauthorize/{code}?requestor=NORTHSPORT&\(list)", by: .page,
                .refusal(412, "User not authenticated")),
            StatusRow(
                "17", .fresh, "preauthorize/{code}?requestor=NORTHSPORT&\(list)", by: .page,
                .refusal(412, "User not authenticated")),
            StatusRow(
                "17", .fresh, "preauthorize/x?requestor=NORTHSPORT&\(list)", by: .page,
                .refusal(412, "User not authenticated")),
            StatusRow(
                "17", .signInExpired, "preauthorize/{code}?requestor=NORTHSPORT&\(list)", by: .page,
                .refusal(412, "User not authenticated")),
            StatusRow(
                "17", .signedIn, "preauthorize/{code}?requestor=WESTSPORT&\(list)", by: .page,
                .refusal(412, "User not authenticated")),
            StatusRow(
                "17", .signedIn, "preauthorize/{code}?\(list)", by: .page,
                .refusal(400, "Required 'requestor' is not present")),
            StatusRow(
                "17", .signedIn, "preauthorize/{code}?requestor=NOBODY&\(list)", by: .page,
                .refusal(400, "Invalid requestor")),
            StatusRow(
                "17", .signedIn, "preauthorize/{code}?requestor=NORTHSPORT", by: .page,
                .refusal(400, "Required 'resource' is not present")),
            StatusRow(
                "17", .signedIn, "preauthorize/{code}?requestor=NORTHSPORT&resource=a,b,c,d,e,f", by: .page,
                .refusal(403, "Too many resources")),
        ] + Self.badCalls("17", "/api/v1/preauthorize")

    static let metadata: [StatusRow] = [
        StatusRow(
            "19", .knownViewer, "tokens/usermetadata?\(device)",
            .document(
                json: #"{"updated":1767225600,"encrypted":[],"data":{"householdID":"H-3456","#
                    + #""maxRating":{"MPAA":"PG-13","VCHIP":"TV-14"},"mvpd":"CableNova","zip":["12345","34567"]}}"#,
                xml: "<userMetadata><updated>1767225600</updated><encrypted/><data><householdID>H-3456</householdID>"
                    + "<maxRating><MPAA>PG-13</MPAA><VCHIP>TV-14</VCHIP></maxRating><mvpd>CableNova</mvpd>"
                    + "<zip>12345</zip><zip>34567</zip></data></userMetadata>")),
        StatusRow("19", .signedIn, "tokens/usermetadata?\(device)", .error(404, "Not Found")),
        StatusRow("19", .fresh, "tokens/usermetadata?\(device)", .error(412, "User not authenticated")),
        StatusRow("19", .signInExpired, "tokens/usermetadata?\(device)", .error(412, "User not authenticated")),
        StatusRow("19", .knownViewer, "tokens/usermetadata", .missing("deviceId")),
        StatusRow("19", .knownViewer, "tokens/usermetadata?\(device)", by: .page, .notAuthorized),
        StatusRow("19", .knownViewer, "tokens/usermetadata?\(device)", by: .foreign, .forbidden),
    ]

    private static let wrongMethods: [(String, HTTPClient.Method)] = [
        ("/api/v1/authorize", .delete), ("/api/v1/preauthorize", .delete), ("/api/v1/preauthorize/{code}", .put),
        ("/api/v1/tokens/media", .delete), ("/api/v1/mediatoken", .put), ("/api/v1/authenticate", .delete),
        ("/api/v1/authenticate/{code}", .post), ("/api/v1/checkauthn", .post), ("/api/v1/checkauthn/{code}", .post),
        ("/api/v1/tokens/authn", .delete), ("/api/v1/tokens/authz", .post), ("/api/v1/tokens/usermetadata", .post),
        ("/api/v1/logout", .get), ("/api/v1/logout", .post), ("/api/v1/config/NORTHSPORT", .post),
        ("/api/v1/FULLSPORT/profile-requests/CableNova", .post), ("/reggie/v1/NORTHSPORT/regcode", .get),
        ("/reggie/v1/NORTHSPORT/regcode/{code}", .post), ("/api/v1/authenticate/freepreview", .delete),
    ]

    static let methods = Self.wrongMethods.map { path, method in
        StatusRow("3.3", .fresh, "\(path)?\(question)", method: method, .notAllowed)
    }
}
