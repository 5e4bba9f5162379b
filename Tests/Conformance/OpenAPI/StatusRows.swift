import Testing

/// The statuses of the protocol documents' tables, written down once more from there.
enum StatusRows {
    struct Row: Sendable, CustomTestStringConvertible {
        let operation: String
        let statuses: Set<Int>
        let section: String

        init(_ operation: String, _ statuses: Set<Int>, _ section: String) {
            self.operation = operation
            self.statuses = statuses
            self.section = section
        }

        var testDescription: String { "\(self.operation) (\(self.section))" }
    }

    static let all = rest + decisions + sdk + management

    /// What the credential of a device's call may bring (rest-v1 7.5, 7.6), and the throttle (24.3).
    private static let caller: Set<Int> = [400, 401, 403, 429]

    private static let rest = [
        Row("POST /o/client/register", [201, 400, 429], "10.2"),
        Row("POST /o/client/token", [201, 400, 429], "10.3"),
        Row("POST /o/client/setup", [200, 400, 429], "own"),
        Row("POST /reggie/v1/{requestor}/regcode", caller.union([201, 503]), "11.1"),
        Row("GET /reggie/v1/{requestor}/regcode/{code}", [200, 404, 429], "11.2"),
        Row("DELETE /reggie/v1/{requestor}/regcode/{code}", caller.union([204]), "11.3"),
        Row("DELETE /reggie/v1/regcode/{code}", caller.union([204]), "11.3"),
        Row("GET /G/{code}", [303], "own"),
        Row("GET /g/{code}", [303], "own"),
        Row("GET /api/v1/config/{requestor}", [200, 400, 429], "12"),
        Row("GET /adobe-services/config/{requestor}", [200, 400, 429], "12"),
        Row("GET /adobe-services/1.0/config/{requestor}", [200, 400, 429], "12"),
        Row("GET /api/v1/authenticate", [200, 302, 400, 429, 500], "13.1"),
        Row("POST /api/v1/authenticate", [200, 302, 400, 429, 500], "13.1"),
        Row("GET /adobe-services/authenticate/saml", [200, 302, 400, 429, 500], "13.1"),
        Row("POST /adobe-services/authenticate/saml", [200, 302, 400, 429, 500], "13.1"),
        Row("GET /adobe-services/1.0/authenticate/saml", [200, 302, 400, 429, 500], "13.1"),
        Row("POST /adobe-services/1.0/authenticate/saml", [200, 302, 400, 429, 500], "13.1"),
        Row("GET /sp/login/{mvpd}", [302, 303, 400, 403, 429, 500, 502], "13.4"),
        Row("POST /sp/login/{mvpd}", [200, 302, 303, 400, 403, 429, 500, 502], "13.4"),
        Row("POST /sp/logout/{mvpd}", [200, 303, 400, 404, 429, 502], "own"),
        Row("GET /sp/logout/{mvpd}", [200, 303, 400, 404, 429, 502], "own"),
        Row("POST /sp/logout/{mvpd}/soap", [200, 400, 404, 429, 502], "own"),
        Row("GET /sp/metadata/{mvpd}", [200, 404, 429], "own"),
        Row("POST /sp/saml/SAMLAssertionConsumer", [302, 400], "13.4"),
        Row("GET /adobe-services/oauth2", [302, 400], "13.4"),
        Row("GET /sp/saml/LogoutServiceHTTPRedirectResponse", [303, 400], "13.4"),
        Row("GET /api/v1/authenticate/{code}", caller.union([200, 404, 410]), "13.5"),
        Row("GET /api/v1/checkauthn/{code}", [200, 400, 403, 429], "14.1"),
        Row("GET /api/v1/checkauthn", caller.union([200]), "14.2"),
        Row("GET /api/v1/tokens/authn", caller.union([200, 404, 410]), "14.3"),
        Row("DELETE /api/v1/logout", [204, 400, 401, 403], "18"),
        Row("POST /api/v1/authenticate/freepreview", caller.union([204]), "20.2"),
        Row("GET /api/v1/{requestor}/profile-requests/{mvpd}", caller.union([200]), "21.1"),
        Row("POST /api/v1/tokens/authn", caller.union([204]), "21.2"),
        Row("GET /.well-known/media-token-key.pem", [200], "22.5"),
    ]

    private static let decisions = [
        Row("GET /api/v1/authorize", caller.union([200]), "15.1"),
        Row("POST /api/v1/authorize", caller.union([200]), "15.1"),
        Row("GET /api/v1/tokens/authz", caller.union([200, 404, 410, 412]), "15.2"),
        Row("GET /api/v1/tokens/media", caller.union([200]), "16"),
        Row("POST /api/v1/tokens/media", caller.union([200]), "16"),
        Row("GET /api/v1/mediatoken", caller.union([200]), "16"),
        Row("POST /api/v1/mediatoken", caller.union([200]), "16"),
        Row("GET /api/v1/preauthorize", caller.union([200, 405, 412, 500]), "17"),
        Row("POST /api/v1/preauthorize", caller.union([200, 405, 412, 500]), "17"),
        Row("GET /api/v1/preauthorize/{code}", [200, 400, 403, 405, 412, 429, 500], "17"),
        Row("POST /api/v1/preauthorize/{code}", [200, 400, 403, 405, 412, 429, 500], "17"),
        Row("GET /api/v1/tokens/usermetadata", caller.union([200, 404, 412]), "19"),
    ]

    /// The table of sdk-services 1 and that of each section, under both forms of the path.
    private static let sdk =
        [Row("POST /indiv/devices", [200, 400], "sdk-services 2")]
        + [
            ("session", [404, 410], "3"), ("sessionDevice", [404, 410], "3"), ("authorize", [410], "4"),
            ("authorizeDevice", [410], "4"), ("shortAuthorize", [410], "5"), ("deviceShortAuthorize", [410], "5"),
            ("preauthorize", [410], "6"), ("usermetadata", [410], "6"), ("passive", [409, 410], "6"),
            ("temporary", [], "6"), ("platform", [], "6"), ("logout", [204, 410], "6"), ("boxes", [410], "own"),
            ("boxLogout", [204, 404, 410], "own"),
        ].flatMap { (name: String, more: Set<Int>, section: String) in
            ["/adobe-services/\(name)", "/adobe-services/1.0/\(name)"].map { path in
                Row("POST \(path)", caller.union(more).union([200]), "sdk-services \(section)")
            }
        }
        + ["/adobe-services/profile", "/adobe-services/1.0/profile"].map {
            Row("POST \($0)", caller.union([200, 410]), "access-enabler 10.5")
        }

    private static let management =
        [
            Row("DELETE /reset-tempass/v3/reset", caller.union([204]), "20.5"),
            Row("DELETE /reset-tempass/v3/reset/generic", caller.union([204]), "20.5"),
            Row("GET /control/v3/degradation/{mediaCompany}/all", caller.union([200]), "25"),
            Row("GET /control/v3/degradation/{mediaCompany}/{rule}", caller.union([200, 404]), "25"),
            Row("POST /control/v3/degradation/{mediaCompany}/{rule}", caller.union([200, 404, 409]), "25"),
            Row("DELETE /control/v3/degradation/{mediaCompany}/{rule}", caller.union([204, 404]), "25"),
            Row("GET /management/v1/devices/records", caller.union([200]), "own"),
            Row("DELETE /management/v1/devices/records", caller.union([204]), "own"),
            Row("DELETE /management/v1/sign-ins/{id}", caller.union([204, 404]), "own"),
            Row("POST /management/v1/sign-ins/end", caller.union([200]), "own"),
            Row("DELETE /management/v1/key-pairs/{publicKey}", caller.union([204, 404]), "own"),
            Row("DELETE /management/v1/applications/{softwareId}", caller.union([204, 404]), "own"),
            Row("DELETE /management/v1/clients/{clientId}", caller.union([204, 404]), "own"),
            Row("POST /management/v1/setup-codes", caller.union([200]), "own"),
            Row("GET /management/v1/audit", caller.union([200]), "own"),
        ] + reports

    /// The root, and a path for each number of dimensions.
    private static let reports = (0...16).map { depth in
        let segments = (0..<depth).map { "/{dimension\($0 + 1)}" }.joined()
        return Row("GET /esm/v3\(segments)", caller.union([200, 404]), "rest-v1 E")
    }
}
