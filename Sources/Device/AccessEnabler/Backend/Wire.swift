import Clientless
import Cryptography
package import HTTPClient
import TextCoding

/// Builds and signs requests to one server, and takes the answers apart.
struct Wire: Sendable {
    enum Body {
        case form([(String, String)])
        case json(String)

        /// The names of a form: one that came again in the query would be refused.
        var names: [String] {
            switch self {
            case .form(let pairs): pairs.map(\.0)
            case .json: []
            }
        }
    }

    /// Far more than any document of a box's endpoints; a list of providers is the largest.
    private static let responseLimit = 1 << 20
    /// The longest pause a throttling server is granted within a call; for a longer one the call fails, and says how
    /// long.
    private static let longestBackOff: Duration = .seconds(5)

    let base: String
    let transport: any AccessEnabler.Transport
    let clock: ServerClock
    let randomness: any Randomness
    /// Before each repetition of a call that did not get through: two of them (access-enabler 17).
    let pauses: [Duration]

    /// - Parameters:
    ///   - path: the path, already percent-encoded; the server's URL may have a prefix, which is not signed.
    ///   - caller: its proof and its options; an option that is named like a parameter of the call does not count.
    ///   - poll: sends the preference to be held, and its time limit; a poll is repeated by its schedule alone.
    ///   - creates: something that must not come about twice; repeated only when it cannot have reached the server.
    func send(
        _ method: HTTPClient.Method, _ path: String, query: [(String, String)] = [], body: Body? = nil,
        as caller: BackendCaller, accept: String = "application/json", poll: PollingSchedule.Poll? = nil,
        creates: Bool = false, timeout: Duration = .seconds(20)
    ) async throws(EntitlementError) -> WireAnswer {
        var pauses = poll == nil ? self.pauses[...] : []
        while true {
            let request = self.request(method, path, query, body, caller, accept, poll, timeout)
            let pause: Duration
            do throws(HTTPClientError) {
                let answer = try await self.exchange(request)
                guard answer.status == 429, let next = pauses.popFirst() else { return answer }
                pause = max(next, answer.error.retryAfter ?? .zero)
                guard pause <= Self.longestBackOff else { return answer }
            } catch {
                guard error.code == .unreachable || (error.code == .connectionLost && !creates),
                    let next = pauses.popFirst()
                else { throw EntitlementError(transport: error) }
                // Half as much again by chance: boxes that lost one server come back spread.
                pause = next * (1 + 0.5 * self.randomness.unit)
            }
            guard (try? await self.clock.sleep(for: pause)) != nil else { throw EntitlementError(.cancelled) }
        }
    }

    private func request(
        _ method: HTTPClient.Method, _ path: String, _ query: [(String, String)], _ body: Body?,
        _ caller: BackendCaller,
        _ accept: String, _ poll: PollingSchedule.Poll?, _ timeout: Duration
    ) -> HTTPClient.Request {
        let own = Set(query.map(\.0) + (body?.names ?? []))
        let query = query + caller.options.filter { !own.contains($0.0) }
        var request = HTTPClient.Request(
            method, self.base + path + (query.isEmpty ? "" : "?\(PercentCoding.form(query))"))
        request.headers["Accept"] = accept
        request.headers["X-Device-Info"] = caller.deviceInformation
        request.headers["ap_21"] = caller.deviceID.text
        request.headers["Authorization"] = self.authorization(caller, method, path)
        switch body {
        case .form(let pairs):
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            request.body = Array(PercentCoding.form(pairs).utf8)
        case .json(let text):
            request.headers["Content-Type"] = "application/json"
            request.body = Array(text.utf8)
        case nil: break
        }
        if let hold = poll?.hold { request.headers["Prefer"] = "wait=\(hold.components.seconds)" }
        request.timeout = poll?.timeout ?? timeout
        request.responseLimit = Self.responseLimit
        return request
    }

    private func exchange(_ request: HTTPClient.Request) async throws(HTTPClientError) -> WireAnswer {
        let response = try await self.transport.send(request)
        if let date = response.date { self.clock.observe(Timestamp(seconds: date)) }
        return WireAnswer(response)
    }

    /// A bearer token, or a signature over verb, path, time and a fresh nonce (rest-v1 7.2, form 1 of 7.4).
    private func authorization(_ caller: BackendCaller, _ method: HTTPClient.Method, _ path: String) -> String? {
        switch caller.proof {
        case .accessToken(let token): return token.withBytes { "Bearer \(String(decoding: $0, as: UTF8.self))" }
        case .keyPair(let keyPair):
            return SignedRequestHeader.signed(
                verb: method.rawValue, requestor: caller.requestor, nonce: self.randomness.bytes(16).hexString,
                time: self.clock.now, uri: path, keyPair: keyPair)
        case .none: return nil
        }
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
        self.transport = error
    }
}

extension AccessEnabler {
    /// Carries requests to the server.
    package protocol Transport: Sendable {
        func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response
    }
}

extension HTTPClient: AccessEnabler.Transport {}

/// An XML answer of the SDK services (sdk-services 1): values by name, one level deep below the root.
struct ServiceDocument {
    let root: String
    private let values: [String: String]

    /// - Returns: `nil` for a text that is not a small, well-formed document.
    init?(_ text: String) {
        guard let document = FlatXMLDocument(text) else { return nil }
        self.root = document.root
        self.values = document.values
    }

    /// The text of an element below the root.
    subscript(name: String) -> String? { self.values[name] }

    /// `<pendingLogout/>`: the presented token was revoked.
    var isPendingLogout: Bool { self.root == "pendingLogout" }
    var isError: Bool { self.root == "error" }
}
