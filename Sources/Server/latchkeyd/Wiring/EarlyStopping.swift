package import Lifecycle

/// A service that can be asked to stop, and awaited, before its turn comes.
///
/// Held polls are told by the pairing's upkeep, which starts before the HTTP server and so would stop after it: too
/// late for the server to send the answers. The server's stopping hook calls ``finish()`` instead.
package final class EarlyStopping: Service {
    private let service: any Service
    private let stop = StopSignal()
    private let ended = StopSignal()

    package init(_ service: any Service) {
        self.service = service
    }

    package func run() async throws {
        defer { self.ended.give() }
        let (service, stop, turn) = (self.service, self.stop, StopSignal.current)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                await turn.wait()
                stop.give()
                return false
            }
            group.addTask {
                try await StopSignal.$current.withValue(stop) { try await service.run() }
                return true
            }
            // The end of the service ends this, however it ended; its turn alone does not.
            while let isService = try await group.next(), !isService {}
            group.cancelAll()
        }
    }

    package func waitUntilStarted() async throws { try await self.service.waitUntilStarted() }

    /// Asks the service to stop and returns when it has.
    package func finish() async {
        self.stop.give()
        await self.ended.wait()
    }
}
