import Clientless
import Cryptography
import FoundationEssentials
import HTTPClient
import latchkeyd

/// A caller that signs as boxes do (rest-v1 7.2).
struct SigningCaller {
    private struct Pair: Decodable {
        let publicKey: String
        let privateKey: String
    }

    private let keyPair: KeyPair
    private let requestor: RequestorID
    private let client = HTTPClient()

    /// - Parameter json: what `keys issue --json` printed.
    init?(json: String, requestor: String) throws {
        let pair = try JSONDecoder().decode(Pair.self, from: Data(json.utf8))
        guard let requestor = RequestorID(requestor),
            let keyPair = KeyPair(publicKey: pair.publicKey, privateKey: Secret(pair.privateKey))
        else { return nil }
        self.requestor = requestor
        self.keyPair = keyPair
    }

    func send(
        _ method: HTTPClient.Method, _ server: RunningServer, path: String, query: String
    ) async throws -> HTTPClient.Response {
        let header = SignedRequestHeader.signed(
            verb: method.rawValue, requestor: self.requestor, nonce: UUID().uuidString, time: SystemClock.now(),
            uri: path, keyPair: self.keyPair)
        return try await self.client.send(
            .init(method, "\(server.url)\(path)?\(query)", headers: ["Authorization": header]))
    }
}

/// Asks again and again until it is so; the suite's time limit is the bound.
func eventually(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try Task.checkCancellation() }
}
