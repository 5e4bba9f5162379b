import Clientless
import Cryptography
import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport

/// Signed calls of boxes to one server, each from an address of its own behind a proxy that the server trusts: looking at
/// codes that are gone is guessing.
struct BoxCalls: Sendable {
    let url: String
    let keyPair: KeyPair
    let client: HTTPClient
    var timeout: Duration = .seconds(20)

    static let requestor = DemoFolder.compatibleRequestor
    static let codes = "/reggie/v1/\(DemoFolder.compatibleRequestor)/regcode"
    static let channel = "Demo%20One"

    static func query(_ device: String, _ resource: String? = nil) -> String {
        "?requestor=\(Self.requestor)&deviceId=\(device)" + (resource.map { "&resource=\($0)" } ?? "")
    }

    /// An address of no one.
    static func address() -> String {
        "10." + (0..<3).map { _ in "\(Int.random(in: 1...254))" }.joined(separator: ".")
    }

    /// - Parameter wait: for how many seconds the server may hold the call (sdk-services 8).
    func call(
        _ method: HTTPClient.Method, _ path: String, _ query: String = "", form: String? = nil, wait: Int? = nil,
        signedBy pair: KeyPair? = nil
    ) async throws(HTTPClientError) -> HTTPClient.Response {
        guard let requestor = RequestorID(Self.requestor) else { preconditionFailure("a requestor of the demo") }
        var request = HTTPClient.Request(method, self.url + path + query)
        request.timeout = self.timeout
        request.headers["Accept"] = "application/json"
        request.headers["X-Forwarded-For"] = Self.address()
        request.headers["Authorization"] = SignedRequestHeader.signed(
            verb: method.rawValue, requestor: requestor, nonce: "\(UUID())",
            time: Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)), uri: path,
            keyPair: pair ?? self.keyPair)
        if let wait { request.headers["Prefer"] = "wait=\(wait)" }
        if let form {
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            request.body = Array(form.utf8)
        }
        return try await self.client.send(request)
    }

    /// How the server answers the question that tells whether it knows a fact.
    func status(of fact: AcknowledgedFact) async throws(HTTPClientError) -> Int {
        switch fact {
        case .codeIsOpen(let code), .codeIsGone(let code):
            try await self.call(.get, "\(Self.codes)/\(code)").status
        case .isSignedIn(let device), .isSignedOut(let device):
            try await self.call(.get, "/api/v1/checkauthn", Self.query(device)).status
        case .isPermitted(let device):
            try await self.call(.get, "/api/v1/tokens/authz", Self.query(device, Self.channel)).status
        case .keyIsGood(let publicKey, let privateKey), .keyIsRevoked(let publicKey, let privateKey):
            try await self.call(
                .get, "/api/v1/checkauthn", Self.query("any"),
                signedBy: KeyPair(publicKey: publicKey, privateKey: Secret(privateKey))
            ).status
        }
    }

    /// What of `facts` the server does not know any more, one sentence each.
    func violations(of facts: [AcknowledgedFact]) async throws -> [String] {
        let chunks = stride(from: 0, to: facts.count, by: 64).map { facts[$0..<min($0 + 64, facts.count)] }
        return try await concurrently(chunks.count) { number in
            var violations: [String] = []
            for fact in chunks[number] {
                if let violation = fact.violation(by: try await self.status(of: fact)) {
                    violations.append(violation)
                }
            }
            return violations
        }.flatMap(\.self)
    }
}
