import HTTPClient

extension EnhancedErrorTests {
    private static let device = "deviceId=box-1&requestor=LOUDSPORT"
    private static let question = device + "&resource=Other"
    private static let channel = device + "&resource=North%20Sport%20HD"
    private static let reason = "Other is not part of your package."
    private static let silence = "The TV provider could not be reached."
    private static let preview = "/api/v1/authenticate/freepreview?" + device
    private static let adult =
        device + "&resource=%3Crss%20xmlns:media=%22http://search.yahoo.com/mrss/%22%3E%3Cchannel%3E%3Ctitle%3E"
        + "North%20Sport%20HD%3C/title%3E%3Citem%3E%3Cmedia:rating%20scheme=%22urn:v-chip%22%3Etv-ma%3C/media:rating%3E"
        + "%3C/item%3E%3C/channel%3E%3C/rss%3E"

    /// The table of rest-v1 8.3, as far as this server says it.
    static let rows: [Row] = [
        Row(
            .fresh, "/reggie/v1/LOUDSPORT/regcode", method: .post,
            400, "invalid_device_id", "none", "Required 'deviceId' is not present"),
        Row(
            .fresh, "/reggie/v1/LOUDSPORT/regcode?deviceId=d&ttl=0", method: .post,
            400, "invalid_parameter_value", "none", "Invalid ttl"),
        Row(
            .fresh, "/reggie/v1/LOUDSPORT/regcode?deviceId=d", method: .post, by: .page,
            401, "missing_authentication_header", "none", "Not Authorized"),
        Row(
            .fresh, "/reggie/v1/LOUDSPORT/regcode?deviceId=d", method: .post, by: .foreign,
            403, "invalid_requestor", "none", "Forbidden"),
        Row(.fresh, "authenticate/BCDFGHJ?requestor=LOUDSPORT", 404, "invalid_registration_code", "none", "Not Found"),
        Row(.fresh, "authenticate/x?requestor=LOUDSPORT", 404, "invalid_registration_code", "none", "Not Found"),
        Row(
            .fresh, "checkauthn?\(device)",
            403, "authentication_session_missing", "authentication", "Authentication token not found"),
        Row(
            .expired, "checkauthn?\(device)",
            403, "authentication_session_expired", "authentication", "Authentication token expired"),
        Row(
            .fresh, "checkauthn?requestor=LOUDSPORT",
            400, "invalid_device_id", "none", "Required 'deviceId' is not present"),
        Row(
            .fresh, "checkauthn/BCDFGHJ?requestor=LOUDSPORT", by: .page,
            403, "authentication_session_missing", "authentication", "Forbidden"),
        Row(.fresh, "checkauthn?\(device)", by: .page, 401, "missing_authentication_header", "none", "Not Authorized"),
        Row(.fresh, "checkauthn?\(device)", by: .broken, 401, "invalid_header", "none", "Not Authorized"),
        Row(.slowClock, "checkauthn?\(device)", 401, "invalid_client_time", "none", "Not Authorized"),
        Row(.fresh, "tokens/authn?\(device)", 404, "authentication_session_missing", "authentication", "Not Found"),
        Row(.expired, "tokens/authn?\(device)", 410, "authentication_session_expired", "authentication", "Gone"),
        Row(
            .fresh, "authorize?\(question)",
            403, "authentication_session_missing", "authentication", "User not authenticated"),
        Row(
            .expired, "authorize?\(question)",
            403, "authentication_session_expired", "authentication", "User not authenticated"),
        Row(
            .signedIn, "authorize?\(question)",
            403, "authorization_denied_by_mvpd", "none", "User not authorized", .text(reason)),
        Row(
            .refused, "authorize?\(question)",
            403, "authorization_denied_by_programmer", "none", "User not authorized", .text("Off the air.")),
        Row(
            .knownViewer, "authorize?\(adult)",
            403, "authorization_denied_by_parental_controls", "none", "User not authorized", .null),
        Row(
            .down, "authorize?\(question)",
            403, "network_received_error", "retry", "User not authorized", .text(silence)),
        Row(
            .trialOver, "authorize?\(question)",
            403, "authorization_denied_by_mvpd", "none", "User not authorized", .null),
        Row(
            .signedIn, "authorize?\(device)",
            400, "missing_resource", "none", "Required 'resource' is not present", .null),
        Row(
            .signedIn, "authorize?\(device)&resource=%3Crss%3E",
            400, "malformed_authz_request", "none", "Invalid resource", .null),
        Row(
            .signedIn, "authorize?\(device)&resource=%FF",
            400, "invalid_resource_value", "none", "Invalid resource", .null),
        Row(
            .fresh, "tokens/authz?\(question)",
            412, "authentication_session_missing", "authentication", "User not authenticated", .null),
        Row(
            .expired, "tokens/authz?\(question)",
            412, "authentication_session_expired", "authentication", "User not authenticated", .null),
        Row(.signedIn, "tokens/authz?\(question)", 404, "authorization_not_found", "authorization", "Not Found", .null),
        Row(
            .authorizationExpired, "tokens/authz?\(channel)",
            410, "authorization_expired", "authorization", "Gone", .null),
        Row(
            .fresh, "tokens/media?\(question)",
            403, "authentication_session_missing", "authentication", "User not authenticated"),
        Row(
            .signedIn, "tokens/media?\(question)",
            403, "authorization_not_found", "authorization", "User not authorized", .null),
        Row(
            .authorizationExpired, "mediatoken?\(channel)",
            403, "authorization_not_found", "authorization", "User not authorized", .null),
        Row(
            .fresh, "preauthorize?\(question)",
            412, "preauthorization_authentication_session_missing", "authentication", "User not authenticated", .null),
        Row(
            .expired, "preauthorize?\(question)",
            412, "preauthorization_authentication_session_expired", "authentication", "User not authenticated", .null),
        Row(
            .signedIn, "preauthorize?\(device)&resource=a,b,c,d",
            403, "too_many_resources", "configuration", "Too many resources", .null),
        Row(
            .fresh, "preauthorize/BCDFGHJ?requestor=LOUDSPORT&resource=a", by: .page,
            412, "preauthorization_authentication_session_missing", "authentication", "User not authenticated", .null),
        Row(
            .fresh, "tokens/usermetadata?\(device)",
            412, "authentication_session_missing", "authentication", "User not authenticated"),
        Row(
            .expired, "tokens/usermetadata?\(device)",
            412, "authentication_session_expired", "authentication", "User not authenticated"),
        Row(.signedIn, "tokens/usermetadata?\(device)", 404, "user_metadata_not_found", "none", "Not Found"),
        Row(
            .fresh, "\(preview)&mso_id=CableNova&domain_name=north-sport.example", method: .post,
            400, "unknown_integration", "configuration", "Invalid mso_id"),
        Row(
            .fresh, "\(preview)&mso_id=FreeHour&domain_name=evil.example", method: .post,
            400, "invalid_domain", "none", "Invalid domain_name"),
        Row(
            .fresh, "LOUDSPORT/profile-requests/NoSuch?deviceType=iOS",
            400, "unknown_integration", "configuration", "Invalid mvpd"),
        Row(
            .fresh, "tokens/authn?\(device)&mvpd=CableNova&deviceType=iOS&SAMLResponse=eA", method: .post,
            400, "authentication_session_issuer_mismatch", "authentication", "Invalid SAMLResponse"),
        Row(
            .fresh, "logout?requestor=LOUDSPORT", method: .delete,
            400, "invalid_device_id", "none", "Required 'deviceId' is not present"),
        Row(.fresh, "logout?\(device)", by: .page, 405, "invalid_http_method", "none", "Method Not Allowed"),
    ]
}
