package import Clientless
package import Entitlement
import Lifecycle
package import Observability

/// Keeps a domain in step with its store for as long as the server runs: follows changes, wakes held polls whose time
/// is over, tidies. When it stops, every held poll is answered first (sdk-services 8).
package struct DomainUpkeep: Service {
    /// How long a change made by another process may go unseen.
    private static let followInterval: Duration = .seconds(1)
    private static let roundsPerTidy = 30

    private let domain: Entitlements
    private let position: ChangePosition
    private let logger: Logger
    private let now: @Sendable () -> Timestamp

    /// - Parameter position: what ``Upkeep/start(now:)`` returned.
    package init(
        _ domain: Entitlements, from position: ChangePosition, logger: Logger, now: @escaping @Sendable () -> Timestamp
    ) {
        self.domain = domain
        self.position = position
        self.logger = logger
        self.now = now
    }

    package func run() async throws {
        let room = self.domain.waitingRoom
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.follow() }
            group.addTask { await self.expire() }
            async let delivered: Void = room.deliver()
            await StopSignal.current.wait()
            room.close()
            await delivered
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
                position = try await self.domain.upkeep.followChanges(after: position, now: self.now())
                if round % Self.roundsPerTidy == 1 { try await self.domain.upkeep.tidy(now: self.now()) }
            } catch {
                self.logger.warning("the store could not be followed", [.error: .text(error.debugDescription)])
            }
        }
    }

    private func expire() async {
        while (try? await Task.sleep(for: WaitingRoom.tick)) != nil, !StopSignal.current.isGiven {
            self.domain.waitingRoom.expire(now: self.now())
        }
    }
}
