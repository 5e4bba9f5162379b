import AccessEnabler
import Synchronization
import TestSupport

/// A box's account that remembers what it was asked, may keep the provider, or profiles, to itself, and answers until its
/// keeper is told to hang.
final class PlatformSpy: PlatformSSOService {
    let account: AccessEnabler.MemoryPlatformSSO
    private let asked = Mutex<(queries: [AccessEnabler.AccountQuery], prompts: [Bool])>(([], []))
    private let latch = Mutex<Latch?>(nil)
    private let hidesProvider: Bool
    private let profileFailure: PlatformSSOFailure?

    init(
        _ account: AccessEnabler.MemoryPlatformSSO, hidesProvider: Bool = false,
        profileFailure: PlatformSSOFailure? = nil
    ) {
        self.account = account
        self.hidesProvider = hidesProvider
        self.profileFailure = profileFailure
    }

    // Nothing keeps what hangs but this object.
    deinit { self.end() }

    func hang() { self.latch.withLock { $0 = Latch() } }

    func end() { self.latch.withLock { $0 }?.open() }

    var queries: [AccessEnabler.AccountQuery] { self.asked.withLock { $0.queries } }
    /// For each question about the permission, whether the viewer could be prompted.
    var prompts: [Bool] { self.asked.withLock { $0.prompts } }

    func access(prompt: Bool) async throws(PlatformSSOFailure) -> AccessEnabler.PlatformAccess {
        self.asked.withLock { $0.prompts.append(prompt) }
        await self.latch.withLock { $0 }?.wait()
        return try await self.account.access(prompt: prompt)
    }

    func account(
        _ query: AccessEnabler.AccountQuery, dialog: (any TvProviderDialogHost)?
    ) async throws(PlatformSSOFailure) -> AccessEnabler.AccountInfo {
        self.asked.withLock { $0.queries.append(query) }
        await self.latch.withLock { $0 }?.wait()
        if let profileFailure, query.verificationToken != nil { throw profileFailure }
        var query = query
        if self.hidesProvider { query.includeProviderIdentifier = false }
        return try await self.account.account(query, dialog: dialog)
    }

    var changes: AsyncStream<PlatformSSOChange> { self.account.changes }
}
