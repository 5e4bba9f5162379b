import FoundationEssentials
import Synchronization

/// The store as an image, read again only when somebody changed it.
package final class TokenVault: Sendable {
    private struct Known {
        var image: StoreImage
        var stamp: TokenStoreStamp
        /// Whether the content could be understood.
        var isReadable = true
    }

    /// More checks than run at once; those of processes that were killed are forgotten.
    private static let probeLimit = 16

    private let store: any TokenStore
    private let known = Mutex<Known?>(nil)
    /// Told where a content lies that could not be understood.
    private let whenReplaced: @Sendable (String) -> Void

    package init(store: any TokenStore, whenReplaced: @escaping @Sendable (String) -> Void = { _ in }) {
        self.store = store
        self.whenReplaced = whenReplaced
    }

    /// The image as it is now. A content that cannot be understood reads as an empty image, and stays in place until
    /// something is written.
    package func image() async throws(EntitlementError) -> StoreImage {
        do throws(TokenStoreError) {
            let stamp = try self.store.stamp()
            if let known = self.known.withLock({ $0 }), known.stamp == stamp { return known.image }
            let content = try await self.store.content()
            let image = try Self.image(of: content.bytes)
            let known = Known(image: image ?? StoreImage(), stamp: content.stamp, isReadable: image != nil)
            self.known.withLock { $0 = known }
            return known.image
        } catch {
            throw EntitlementError(.state, detail: error.description)
        }
    }

    /// Changes the image, and returns what `change` returns. On return the new image survives a power cut.
    @discardableResult
    package func update<Result: Sendable>(
        _ change: @escaping @Sendable (inout StoreImage) -> Result
    ) async throws(EntitlementError) -> Result {
        let outcome = Mutex<(image: StoreImage, result: Result)?>(nil)
        do throws(TokenStoreError) {
            try await self.setAsideWhatCannotBeRead()
            let stamp = try await self.store.transaction { (bytes) throws(TokenStoreError) in
                let readable = try Self.image(of: bytes)
                var image = readable ?? StoreImage()
                let result = change(&image)
                outcome.withLock { $0 = (image, result) }
                return image == readable && bytes != nil ? nil : try image.encoded()
            }
            guard let done = outcome.withLock({ $0 }) else { throw TokenStoreError("the store changed nothing") }
            self.known.withLock { $0 = Known(image: done.image, stamp: stamp) }
            return done.result
        } catch {
            throw EntitlementError(.state, detail: error.description)
        }
    }

    private func setAsideWhatCannotBeRead() async throws(TokenStoreError) {
        if let known = self.known.withLock({ $0 }), known.isReadable, try known.stamp == self.store.stamp() { return }
        guard try Self.image(of: try await self.store.content().bytes) == nil else { return }
        if let place = try await self.store.setAside() { self.whenReplaced(place) }
    }

    /// The check of access-enabler 11.11.
    func check(_ type: IntegrityCheckType) async {
        switch type {
        case .none: return
        case .clear: try? await self.update { $0.clearTokens() }
        case .all:
            guard await self.isHealthy() else {
                try? await self.update { $0.clearTokens() }
                return
            }
        }
    }

    /// A probe that is written, read back and removed, and every value in its format (access-enabler D-48).
    ///
    /// The probe is added to what is there in one step, and has a text of its own: what other processes write
    /// meanwhile stays, another check included.
    private func isHealthy() async -> Bool {
        let probe = UUID().uuidString
        do throws(TokenStoreError) {
            let isSound = Mutex(false)
            _ = try await self.store.transaction { (bytes) throws(TokenStoreError) in
                guard var image = try Self.image(of: bytes), image.isSound else { return nil }
                isSound.withLock { $0 = true }
                image.probes = (image.probes ?? []).suffix(Self.probeLimit - 1) + [probe]
                return try image.encoded()
            }
            guard isSound.withLock({ $0 }) else { return false }
            let isReadBack = try Self.image(of: try await self.store.content().bytes)?.probes?.contains(probe) ?? false
            _ = try await self.store.transaction { (bytes) throws(TokenStoreError) in
                guard var image = try Self.image(of: bytes), let probes = image.probes else { return nil }
                let rest = probes.filter { $0 != probe }
                image.probes = rest.isEmpty ? nil : rest
                return try image.encoded()
            }
            return isReadBack
        } catch {
            return false
        }
    }

    /// - Returns: none for bytes that cannot be understood; an empty image for none.
    /// - Throws: when a newer version wrote them.
    private static func image(of bytes: [UInt8]?) throws(TokenStoreError) -> StoreImage? {
        guard let bytes else { return StoreImage() }
        if let image = StoreImage(reading: bytes) { return image }
        if let former = FormerBoxState.image(of: bytes) { return former }
        if let schema = try? JSONDecoder().decode(StoreSchema.self, from: Data(bytes)).schema,
            schema > StoreImage.currentSchema
        {
            throw TokenStoreError("the token store was written by a newer version")
        }
        return nil
    }
}
