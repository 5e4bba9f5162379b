package import Clientless
import Lifecycle
package import Observability

/// Keeps a ``Pairing`` in step with its store for as long as the server runs: follows changes, tells the held polls,
/// tidies. When it stops, every held poll is answered first (sdk-services 8).
package struct PairingUpkeep: Service {
    /// How long a change made by another process may go unseen.
    private static let followInterval: Duration = .seconds(1)
    private static let roundsPerTidy = 30

    private let pairing: Pairing
    private let position: ChangePosition
    private let logger: Logger
    private let now: @Sendable () -> Timestamp

    /// - Parameter position: what ``Pairing/start(now:)`` returned.
    package init(
        pairing: Pairing, from position: ChangePosition, logger: Logger, now: @escaping @Sendable () -> Timestamp
    ) {
        self.pairing = pairing
        self.position = position
        self.logger = logger
        self.now = now
    }

    package func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.follow() }
            async let everybodyTold: Void = self.pairing.waitingRoom.run(now: self.now)
            await StopSignal.current.wait()
            self.pairing.waitingRoom.close()
            await everybodyTold
            group.cancelAll()
        }
    }

    private func follow() async {
        var position = self.position
        var round = 0
        // A store that does not answer now is asked again: requests that need it say so themselves.
        while (try? await Task.sleep(for: Self.followInterval)) != nil, !StopSignal.current.isGiven {
            round += 1
            do throws(StoreError) {
                position = try await self.pairing.followChanges(after: position, now: self.now())
                if round % Self.roundsPerTidy == 1 { try await self.pairing.tidy(now: self.now()) }
            } catch {
                self.logger.warning("the store could not be followed", [.error: .text(error.debugDescription)])
            }
        }
    }
}
