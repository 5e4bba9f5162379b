import Lifecycle
package import Observability

/// Listens, and lets a router answer.
///
/// `run()` stops when `StopSignal.current` is given: it stops accepting, runs the hooks of `onStopping` (the owners of
/// held replies complete them there), answers what is still held with 503, finishes what is in flight, and at the
/// latest after `stopTimeout` closes the rest.
package final class HTTPServer: Service {
    package init(configuration: HTTPServerConfiguration, router: Router, logger: Logger, metrics: Metrics) {
    }

    /// The addresses it listens on, with the ports the system chose. Waits until it listens.
    ///
    /// - Throws: what `run` throws when it cannot listen.
    package var boundAddresses: [HTTPListenerAddress] {
        get async throws { [] }
    }

    /// Adds something to do when the server stops, after it has stopped accepting and before it answers what is still
    /// held. Hooks run one after another in the order they were added.
    package func onStopping(_ hook: @escaping @Sendable () async -> Void) {
    }

    package func waitUntilStarted() async throws {
        _ = try await self.boundAddresses
    }

    /// - Throws: `HTTPServerError` when it cannot listen.
    package func run() async throws {
    }
}
