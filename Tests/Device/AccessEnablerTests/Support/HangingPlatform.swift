import AccessEnabler
import Synchronization

/// A box's account whose keeper answers until it is told to hang, and then never again, whatever is cancelled.
final class HangingPlatform: PlatformSSOService {
    private let account: AccessEnabler.MemoryPlatformSSO
    private let hangs = Atomic<Bool>(false)
    private let stuck = Mutex<[CheckedContinuation<Void, Never>]>([])

    init(_ account: AccessEnabler.MemoryPlatformSSO) { self.account = account }

    // Nothing keeps what hangs but this object.
    deinit { for continuation in self.stuck.withLock({ $0 }) { continuation.resume() } }

    func hang() { self.hangs.store(true, ordering: .releasing) }

    /// Lets everything go.
    func end() {
        self.hangs.store(false, ordering: .releasing)
        let stuck = self.stuck.withLock { stuck in
            defer { stuck = [] }
            return stuck
        }
        for continuation in stuck { continuation.resume() }
    }

    private func wait() async {
        guard self.hangs.load(ordering: .acquiring) else { return }
        await withCheckedContinuation { continuation in self.stuck.withLock { $0.append(continuation) } }
    }

    func access(prompt: Bool) async throws(PlatformSSOFailure) -> AccessEnabler.PlatformAccess {
        await self.wait()
        return try await self.account.access(prompt: prompt)
    }

    func account(
        _ query: AccessEnabler.AccountQuery, dialog: (any TvProviderDialogHost)?
    ) async throws(PlatformSSOFailure) -> AccessEnabler.AccountInfo {
        await self.wait()
        return try await self.account.account(query, dialog: dialog)
    }

    var changes: AsyncStream<PlatformSSOChange> { self.account.changes }
}
