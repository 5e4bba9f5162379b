package import Clientless
import FoundationEssentials
import Synchronization

/// The store as an image, read again only when it was changed.
package final class TokenVault: Sendable {
    private let store: any AccessEnabler.TokenStore
    private let scope: String
    private let now: @Sendable () -> Timestamp
    private let known = Mutex<(image: StoreImage, stamp: AccessEnabler.TokenStoreStamp)?>(nil)
    /// Told where a content was put aside that could not be understood.
    private let whenReplaced: @Sendable (String) -> Void
    /// Told why a change could not be kept; `nil` after one that was.
    private let whenChanged: @Sendable (EntitlementError?) -> Void

    /// - Parameters:
    ///   - scope: the device scope of the application.
    ///   - now: tells which decisions are over, and go at the next change.
    package init(
        store: any AccessEnabler.TokenStore, scope: String, now: @escaping @Sendable () -> Timestamp,
        whenReplaced: @escaping @Sendable (String) -> Void = { _ in },
        whenChanged: @escaping @Sendable (EntitlementError?) -> Void = { _ in }
    ) {
        self.store = store
        self.scope = scope
        self.now = now
        self.whenReplaced = whenReplaced
        self.whenChanged = whenChanged
    }

    /// The image as it is now. A content that cannot be understood, or that a newer version wrote, reads as an empty
    /// image, and stays in place until something is written.
    package func image() async throws(EntitlementError) -> StoreImage {
        do throws(AccessEnabler.TokenStoreError) {
            let stamp = try self.store.stamp()
            if let known = self.known.withLock({ $0 }), known.stamp == stamp { return known.image }
            let content = try await self.store.content()
            let image = StoreImage.reading(content.bytes, scope: self.scope).image
            self.known.withLock { $0 = (image, content.stamp) }
            return image
        } catch {
            throw EntitlementError(.state, detail: error.description)
        }
    }

    /// Changes the image, and returns what `change` returns. On return the new image survives a power cut.
    @discardableResult
    package func update<Result: Sendable>(
        _ change: @escaping @Sendable (inout StoreImage) -> Result
    ) async throws(EntitlementError) -> Result {
        do throws(AccessEnabler.TokenStoreError) {
            return try await self.change(change)
        } catch {
            let failure = EntitlementError(.state, detail: error.description)
            self.whenChanged(failure)
            throw failure
        }
    }

    private func change<Result: Sendable>(
        _ change: @escaping @Sendable (inout StoreImage) -> Result
    ) async throws(AccessEnabler.TokenStoreError) -> Result {
        let now = self.now()
        let done = Mutex<(image: StoreImage, result: Result, isWritten: Bool)?>(nil)
        let outcome = try await self.store.transaction { (bytes) throws(AccessEnabler.TokenStoreError) in
            let (image, former) = StoreImage.reading(bytes, scope: self.scope)
            var changed = image
            let result = change(&changed)
            guard changed != image || bytes == nil else {
                done.withLock { $0 = (image, result, false) }
                return .none
            }
            changed.prune(at: now)
            let content = try changed.encodeWithinBounds()
            done.withLock { $0 = (changed, result, true) }
            return .replace(content, former: former)
        }
        if let place = outcome.setAside { self.whenReplaced(place) }
        guard let done = done.withLock({ $0 }) else { throw AccessEnabler.TokenStoreError("the store changed nothing") }
        self.known.withLock { $0 = (done.image, outcome.stamp) }
        if done.isWritten { self.whenChanged(nil) }
        return done.result
    }

    /// The check of access-enabler 11.11.
    func check(_ type: AccessEnabler.IntegrityCheckType) async {
        switch type {
        case .none: return
        case .clear: await self.clear()
        case .all: if await !self.isHealthy() { await self.clear() }
        }
    }

    /// Clears everything, also a content that cannot be read.
    private func clear() async {
        do throws(AccessEnabler.TokenStoreError) {
            try await self.change { $0.clearAll() }
        } catch {
            guard let place = try? await self.store.setAside() else { return }
            self.whenReplaced(place)
            self.known.withLock { $0 = nil }
            _ = try? await self.change { $0.clearAll() }
        }
    }

    /// A probe that is written, read back and removed, and every value in its format (access-enabler D-48).
    ///
    /// The probe is added to what is there, and has a text of its own: the changes of other processes meanwhile stay,
    /// another check's included.
    private func isHealthy() async -> Bool {
        let probe = UUID().uuidString
        do throws(AccessEnabler.TokenStoreError) {
            let (found, former) = StoreImage.reading(try await self.store.content().bytes, scope: self.scope)
            guard former == .dropped, found.isSound else { return false }
            try await self.change { $0.add(probe: probe) }
            let written = StoreImage.reading(try await self.store.content().bytes, scope: self.scope).image
            try await self.change { $0.remove(probe: probe) }
            return written.probes?.contains(probe) ?? false
        } catch {
            return false
        }
    }
}

extension AccessEnabler {
    /// The check of the store when an ``AccessEnabler`` is made (access-enabler 11.11). A failing check clears
    /// everything, which signs out; so use it only when there is a reason.
    public enum IntegrityCheckType: Sendable, Hashable {
        /// No check. The default.
        case none
        /// The store can be written and read back, and every value has its format.
        case all
        /// No check: the store is cleared.
        case clear
    }
}
