import Clientless
import HTTPClient

/// The session of an answer of the SDK services (sdk-services 3).
func nativeSession(in answer: WireAnswer) throws(EntitlementError) -> NativeSession {
    guard let document = answer.xml else { throw answer.malformed }
    guard !document.isPendingLogout else { throw revocation(answer) }
    guard let xml = document["authnToken"] else { throw serviceError(answer) }
    return NativeSession(token: try AuthenticationToken(xml: xml), userMetadata: document["userMeta"])
}

/// The error of an answer of the SDK services (sdk-services 1).
func serviceError(_ answer: WireAnswer) -> EntitlementError {
    let document = answer.xml
    if document?.isPendingLogout == true { return revocation(answer) }
    let reported = document?.isError == true ? document?["code"] : nil
    let detail = document?["details"] ?? document?["message"]
    switch (answer.status, reported) {
    case (401, "N000"): return EntitlementError(.notSignedIn, status: 401, detail: detail)
    case (401, "SEC412"): return EntitlementError(.deviceMismatch, status: 401, detail: detail)
    case (401, "N130"): return EntitlementError(.sessionRevoked, status: 401, detail: detail)
    case (410, _): return EntitlementError(.sessionExpired, status: 410, detail: detail)
    case (403, "N111"): return EntitlementError(.trialOver, status: 403, detail: detail)
    case (_, let reported?) where answer.status == 403 || answer.status == 409:
        return EntitlementError(.refused, status: answer.status, detail: detail, reported: reported)
    default:
        let error = answer.error
        return EntitlementError(
            error.code, status: error.status, retryAfter: error.retryAfter, detail: detail ?? error.detail,
            reported: reported)
    }
}

/// `<pendingLogout/>`, with the server's word on how the sign-in ended, which older servers do not send.
private func revocation(_ answer: WireAnswer) -> EntitlementError {
    var error = EntitlementError(.sessionRevoked, status: answer.status)
    error.ending = answer.headers["latchkey-sign-in-ending"].flatMap { AccessEnabler.SignInEnding(rawValue: $0) }
    return error
}

/// The same for a preauthorization, which names its refusals by the codes of access-enabler 14.3.
func preauthorizationError(_ answer: WireAnswer) -> EntitlementError {
    var error = serviceError(answer)
    if let code = answer.json?["code"]?.string { error.reported = code }
    if error.reported == "P100" { error.reported = "too_many_resources" }
    return error
}

/// The errors of rest-v1 10.2 and 10.3.
func registrationError(_ answer: WireAnswer) -> EntitlementError {
    guard answer.status == 400 || answer.status == 401 else { return answer.error }
    let code = answer.json?["error"]?.string
    return EntitlementError(
        code == "invalid_client" ? .unknownClient : .credentialsRefused, status: answer.status, detail: code)
}

/// `data` as the one JSON parameter it travels in (access-enabler 17); none without data.
func genericData(_ data: [String: String]) -> [(String, String)] {
    guard !data.isEmpty else { return [] }
    let members = data.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .string($0.value)) }
    return [("generic_data", JSONValue.object(members).text)]
}

/// The text, if it is a short address of the web that ends in `code` and has only what a QR code holds in upper case
/// (ISO/IEC 18004 7.4.4), except the blank.
func shortAddress(_ text: String, of code: RegistrationCodeText) -> String? {
    guard text.hasPrefix("HTTPS://") || text.hasPrefix("HTTP://"), text.hasSuffix("/\(code.text)"),
        text.utf8.count <= 256, text.utf8.allSatisfy({ shortAlphabet.contains($0) })
    else { return nil }
    return text
}

private let shortAlphabet = Set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ$%*+-./:".utf8)

/// The text, if it is an address that a browser may open; anything else would be a trap in a QR code.
func webAddress(_ text: String, limit: Int = 1024) -> String? {
    guard text.hasPrefix("https://") || text.hasPrefix("http://"), text.utf8.count <= limit,
        text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    return text
}
