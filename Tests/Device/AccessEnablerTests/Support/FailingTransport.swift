import AccessEnabler
import HTTPClient
import Synchronization

/// How a request fails on its way.
enum HTTPClientErrorCode: Sendable {
    case lost, refused, late, certificate

    fileprivate var error: HTTPClientError {
        switch self {
        case .lost: HTTPClientError(.connectionLost)
        case .refused: HTTPClientError(.unreachable)
        case .late: HTTPClientError(.timedOut)
        case .certificate: HTTPClientError(.tls)
        }
    }
}

/// Lets every request through but one, which fails.
final class FailingTransport: AccessEnabler.Transport {
    private let client = HTTPClient()
    private let next = Mutex<(path: String, failure: HTTPClientErrorCode)?>(nil)

    /// Fails the next request whose URL contains `path`.
    func fail(_ path: String, with failure: HTTPClientErrorCode) { self.next.withLock { $0 = (path, failure) } }

    func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response {
        let failure = self.next.withLock { next -> HTTPClientErrorCode? in
            guard let found = next, request.url.contains(found.path) else { return nil }
            next = nil
            return found.failure
        }
        if let failure { throw failure.error }
        return try await self.client.send(request)
    }
}
