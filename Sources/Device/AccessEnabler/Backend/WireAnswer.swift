import Clientless
import FoundationEssentials
import HTTPClient

/// An answer of the server, whatever its status.
typealias WireAnswer = HTTPClient.Response

extension WireAnswer {
    /// The body as an answer of the SDK services (sdk-services 1); `nil` if it is not a small, well-formed document.
    var xml: FlatXMLDocument? { FlatXMLDocument(self.text) }

    func decoded<Document: Decodable>() throws(EntitlementError) -> Document {
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(self.body))
        else { throw EntitlementError(.malformedAnswer, status: self.status) }
        return document
    }

    var json: JSONValue? { JSONValue(reading: self.body) }
    /// 403 with the word of rest-v1 7.6 that asks for a new registration.
    var saysUnknownClient: Bool { self.status == 403 && self.json?["error"]?.string == "invalid_client" }

    /// The error for a status no caller expects (rest-v1 8.1 and 7.6).
    var error: EntitlementError {
        let retryAfter = self.headers["retry-after"].flatMap { Int($0) }.flatMap {
            (0...86_400).contains($0) ? $0 : nil
        }
        let code: EntitlementError.Code =
            switch self.status {
            case 401: .unauthorized
            case 403: self.saysUnknownClient ? .unknownClient : .credentialsRefused
            case 412: .notSignedIn
            case 429: .throttled
            case 400..<500: .refused
            case 500..<600: .serverFault
            default: .malformedAnswer
            }
        let json = self.json
        return EntitlementError(
            code, status: self.status, retryAfter: retryAfter.map { .seconds($0) },
            detail: json?["details"]?.string ?? json?["message"]?.string)
    }
}
