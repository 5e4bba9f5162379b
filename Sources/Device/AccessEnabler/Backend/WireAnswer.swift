import Clientless
import HTTPClient

/// An answer of the server, whatever its status.
typealias WireAnswer = HTTPClient.Response

extension WireAnswer {
    /// The body as an answer of the SDK services (sdk-services 1); `nil` if it is not a small, well-formed document.
    var xml: FlatXMLDocument? { FlatXMLDocument(self.text) }

    var json: JSONValue? { JSONValue(reading: self.body) }
    var malformed: EntitlementError { EntitlementError(.malformedAnswer, status: self.status) }

    /// The error for a status no caller expects (rest-v1 8.1 and 7.6).
    var error: EntitlementError {
        let retryAfter = self.headers["retry-after"].flatMap { Int($0) }.flatMap {
            (0...86_400).contains($0) ? $0 : nil
        }
        let json = self.json
        let code: EntitlementError.Code =
            switch self.status {
            case 401: .unauthorized
            // The word of rest-v1 7.6 that asks for a new registration.
            case 403: json?["error"]?.string == "invalid_client" ? .unknownClient : .credentialsRefused
            case 412: .notSignedIn
            case 429: .throttled
            case 400..<500: .refused
            case 500..<600: .serverFault
            default: .malformedAnswer
            }
        return EntitlementError(
            code, status: self.status, retryAfter: retryAfter.map { .seconds($0) },
            detail: json?["details"]?.string ?? json?["message"]?.string)
    }
}

extension JSONValue {
    /// Milliseconds since 1970, up to the end of the year 9999: a number for codes, a string of digits for tokens (rest-v1
    /// 3.9); either is taken for both.
    var time: Timestamp? {
        let number = self.integer ?? self.string.flatMap { Int64($0) }
        return number.flatMap { (0...253_402_300_799_999).contains($0) ? Timestamp(milliseconds: $0) : nil }
    }
}
