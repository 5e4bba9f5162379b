import Clientless
import Cryptography
import FoundationEssentials
import HTTPClient

/// Builds and signs the requests of REST v1, and takes the answers apart.
struct RESTv1Wire: Sendable {
    enum Body {
        case form([(String, String)])
        case json(String)
    }

    /// Far more than any document of the box's endpoints; a list of providers is the largest.
    private static let responseLimit = 512 << 10

    let base: String
    let deviceInformation: String
    let transport: any Transport
    let clock: ServerClock
    let randomness: any Randomness

    /// - Parameters:
    ///   - path: the path, already percent-encoded; the server's URL may have a prefix, which is not signed.
    ///   - proof: who calls; `nil` for calls anybody may make.
    ///   - poll: sends the preference to be held, and its time limit.
    func send(
        _ method: HTTPClient.Method, _ path: String, query: [(String, String)] = [], body: Body? = nil,
        proof caller: Caller?, poll: PollingSchedule.Poll? = nil, timeout: Duration = .seconds(20)
    ) async throws(EntitlementError) -> WireAnswer {
        var request = HTTPClient.Request(method, self.base + path + (query.isEmpty ? "" : "?\(formEncoded(query))"))
        request.headers["Accept"] = "application/json"
        request.headers["X-Device-Info"] = self.deviceInformation
        switch body {
        case .form(let pairs):
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            request.body = Array(formEncoded(pairs).utf8)
        case .json(let text):
            request.headers["Content-Type"] = "application/json"
            request.body = Array(text.utf8)
        case nil: break
        }
        if let caller { request.headers["Authorization"] = self.authorization(caller, method, path) }
        if let hold = poll?.hold { request.headers["Prefer"] = "wait=\(hold.components.seconds)" }
        request.timeout = poll?.timeout ?? timeout
        request.responseLimit = Self.responseLimit
        let response: HTTPClient.Response
        do {
            response = try await self.transport.send(request)
        } catch {
            throw EntitlementError(transport: error)
        }
        if let date = response.date { self.clock.observe(Timestamp(seconds: date)) }
        return WireAnswer(response)
    }

    /// A bearer token, or a signature over verb, path, time and a fresh nonce (rest-v1 7.2, form 1 of 7.4).
    private func authorization(_ caller: Caller, _ method: HTTPClient.Method, _ path: String) -> String {
        switch caller.proof {
        case .accessToken(let token): return token.withBytes { "Bearer \(String(decoding: $0, as: UTF8.self))" }
        case .keyPair(let keyPair):
            return SignedRequestHeader.signed(
                verb: method.rawValue, requestor: caller.requestor, nonce: self.randomness.bytes(16).hexString,
                time: self.clock.now, uri: path, keyPair: keyPair)
        }
    }
}

/// An answer of the server, whatever its status.
struct WireAnswer {
    let status: Int
    let headers: HTTPClient.Headers
    private let body: [UInt8]

    init(_ response: HTTPClient.Response) {
        self.status = response.status
        self.headers = response.headers
        self.body = response.body
    }

    /// The body as the document that belongs to the status.
    func decoded<Document: Decodable>() throws(EntitlementError) -> Document {
        do {
            return try JSONDecoder().decode(Document.self, from: Data(self.body))
        } catch {
            throw EntitlementError(.malformedAnswer, status: self.status)
        }
    }

    /// The error document, if the body is one.
    var document: ErrorDocument? {
        try? JSONDecoder().decode(ErrorDocument.self, from: Data(self.body))
    }

    /// 403 with the word of rest-v1 7.6 that asks for a new registration.
    var saysUnknownClient: Bool { self.status == 403 && self.document?.error == "invalid_client" }

    /// The error for a status no caller expects.
    var error: EntitlementError {
        let retryAfter = self.headers["retry-after"].flatMap { Int($0) }.flatMap {
            (0...86_400).contains($0) ? $0 : nil
        }
        let code: EntitlementError.Code =
            switch self.status {
            case 401: .unauthorized
            case 403: self.saysUnknownClient ? .unknownClient : .credentialsRefused
            case 429: .throttled
            case 400..<500: .refused
            case 500..<600: .serverFault
            default: .malformedAnswer
            }
        return EntitlementError(
            code, status: self.status, retryAfter: retryAfter.map { .seconds($0) },
            detail: self.document.flatMap { $0.details ?? $0.message })
    }
}

extension EntitlementError {
    /// The error for a request that got no answer.
    init(transport error: HTTPClientError) {
        let code: Code =
            switch error.code {
            case .cancelled: .cancelled
            case .tls: .untrusted
            case .tooLarge, .protocolError: .malformedAnswer
            case .invalidRequest: .refused
            default: .unreachable
            }
        self.init(code, detail: error.detail)
    }
}
