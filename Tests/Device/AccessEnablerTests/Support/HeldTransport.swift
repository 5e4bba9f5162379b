import AccessEnabler
import HTTPClient
import Synchronization
import TestSupport

/// Lets every request through, and holds one answer back after it came, whatever becomes of who asked.
final class HeldTransport: AccessEnabler.Transport {
    private struct State {
        var path: String?
        var isReleased = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let client = HTTPClient()
    private let state = Mutex(State())
    /// Sends a value once the answer came in and is held.
    let held = Signal<Void>()

    /// Holds the next answer to a request whose URL contains `path`.
    func hold(_ path: String) {
        self.state.withLock { $0 = State(path: path) }
    }

    func release() {
        let continuation = self.state.withLock { state in
            state.isReleased = true
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }

    func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response {
        let response = try await self.client.send(request)
        let isHeld = self.state.withLock { state in
            guard let path = state.path, request.url.contains(path) else { return false }
            state.path = nil
            return true
        }
        guard isHeld else { return response }
        await withCheckedContinuation { continuation in
            let isReleased = self.state.withLock { state in
                if !state.isReleased { state.continuation = continuation }
                return state.isReleased
            }
            if isReleased { continuation.resume() } else { self.held.send(()) }
        }
        return response
    }
}
