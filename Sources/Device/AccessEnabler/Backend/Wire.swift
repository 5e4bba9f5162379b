import Clientless
import Cryptography
package import HTTPClient
import TextCoding

/// Builds and signs requests to one server, and takes the answers apart.
struct Wire: Sendable {
    struct Call: Sendable {
        let method: HTTPClient.Method
        /// Already percent-encoded; the server's URL may have a prefix, which is not signed.
        let path: String
        var query: [(String, String)] = []
        /// The body, of which there is one: a name in it that came again in the query would be refused.
        var form: [(String, String)]?
        var json: String?
        var accept = "application/json"
        /// Sends the preference to be held, and its time limit; a poll is repeated by its schedule alone.
        var poll: PollingSchedule.Poll?
        /// Something must not come about twice: it is repeated only when it cannot have reached the server.
        var creates = false
        var timeout: Duration = .seconds(20)
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
    ///   - caller: its options; one that is named like a parameter of the call does not count.
    ///   - proof: `nil` on the way to an access token.
    func send(
        _ call: Call, as caller: ServerCall, _ proof: ServerCall.Proof? = nil
    ) async throws(EntitlementError) -> WireAnswer {
        var pauses = call.poll == nil ? self.pauses[...] : []
        while true {
            let request = self.request(call, caller, proof)
            let pause: Duration
            do throws(HTTPClientError) {
                let answer = try await self.transport.send(request)
                if let date = answer.date { self.clock.observe(Timestamp(seconds: date)) }
                guard answer.status == 429, let next = pauses.popFirst() else { return answer }
                pause = max(next, answer.error.retryAfter ?? .zero)
                guard pause <= Self.longestBackOff else { return answer }
            } catch {
                guard error.code == .unreachable || (error.code == .connectionLost && !call.creates),
                    let next = pauses.popFirst()
                else { throw EntitlementError(transport: error) }
                // Half as much again by chance: boxes that lost one server come back spread.
                pause = next * (1 + 0.5 * self.randomness.unit)
            }
            guard (try? await self.clock.clock.sleep(for: pause)) != nil else { throw EntitlementError(.cancelled) }
        }
    }

    private func request(_ call: Call, _ caller: ServerCall, _ proof: ServerCall.Proof?) -> HTTPClient.Request {
        let own = Set((call.query + (call.form ?? [])).map(\.0))
        let query = call.query + caller.options.parameters.filter { !own.contains($0.0) }
        var request = HTTPClient.Request(
            call.method, self.base + call.path + (query.isEmpty ? "" : "?\(PercentCoding.form(query))"))
        request.headers["Accept"] = call.accept
        request.headers["X-Device-Info"] = caller.options.deviceInfo ?? caller.information
        request.headers["ap_21"] = caller.deviceID.text
        request.headers["Authorization"] = proof.map { self.authorization(call, caller.requestor, $0) }
        if let form = call.form {
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            request.body = Array(PercentCoding.form(form).utf8)
        } else if let json = call.json {
            request.headers["Content-Type"] = "application/json"
            request.body = Array(json.utf8)
        }
        if let hold = call.poll?.hold { request.headers["Prefer"] = "wait=\(hold.components.seconds)" }
        request.timeout = call.poll?.timeout ?? call.timeout
        request.responseLimit = Self.responseLimit
        return request
    }

    /// A bearer token, or a signature over verb, path, time and a fresh nonce (rest-v1 7.2, form 1 of 7.4).
    private func authorization(_ call: Call, _ requestor: RequestorID, _ proof: ServerCall.Proof) -> String {
        switch proof {
        case .accessToken(let token): return token.withBytes { "Bearer \(String(decoding: $0, as: UTF8.self))" }
        case .keyPair(let keyPair):
            return SignedRequestHeader.signed(
                verb: call.method.rawValue, requestor: requestor, nonce: Hex.encode(self.randomness.bytes(16)),
                time: self.clock.now, uri: call.path, keyPair: keyPair)
        }
    }
}

extension EntitlementError {
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
    package protocol Transport: Sendable {
        func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response
    }
}

extension HTTPClient: AccessEnabler.Transport {}

extension FlatXMLDocument {
    subscript(name: String) -> String? { self.values[name] }

    /// `<pendingLogout/>`: the presented token was revoked.
    var isPendingLogout: Bool { self.root == "pendingLogout" }
    var isError: Bool { self.root == "error" }
}
