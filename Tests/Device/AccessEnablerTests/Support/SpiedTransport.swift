import AccessEnabler
import HTTPClient
import Synchronization
import TestSupport

/// Lets requests through but one, which fails, and holds one answer back after it came, whatever becomes of who asked.
final class SpiedTransport: AccessEnabler.Transport {
    private struct State {
        var failing: (path: String, error: HTTPClientError)?
        var holding: String?
        var latch = Latch()
    }

    private let client = HTTPClient()
    private let state = Mutex(State())
    /// Sends a value once the answer came in and is held.
    let held = Signal<Void>()

    /// Fails the next request whose URL contains `path`.
    func fail(_ path: String, with error: HTTPClientError.Code) {
        self.state.withLock { $0.failing = (path, HTTPClientError(error)) }
    }

    /// Holds the next answer to a request whose URL contains `path`.
    func hold(_ path: String) { self.state.withLock { ($0.holding, $0.latch) = (path, Latch()) } }

    func release() { self.state.withLock { $0.latch }.open() }

    func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response {
        let failure = self.state.withLock { state -> HTTPClientError? in
            guard let failing = state.failing, request.url.contains(failing.path) else { return nil }
            state.failing = nil
            return failing.error
        }
        if let failure { throw failure }
        let response = try await self.client.send(request)
        let latch = self.state.withLock { state -> Latch? in
            guard let path = state.holding, request.url.contains(path) else { return nil }
            state.holding = nil
            return state.latch
        }
        await latch?.wait(telling: self.held)
        return response
    }
}
