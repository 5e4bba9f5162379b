import Cryptography
import HTTPClient
import Synchronization

extension AccessEnabler {
    /// The store of a vendor group that `latchkey agent` keeps (access-enabler 11.6, 11.7).
    ///
    /// The operator of the box says in the agent's configuration which applications are in the group, and the agent knows
    /// them by what the kernel says of them: no other application of the same user comes to the tokens. All of them see a
    /// change at once; ``changes`` tells of it.
    ///
    /// The store asks the agent at its first use, once for its life. Where there is no agent, where the agent keeps no
    /// store for this application, or where it has no permission, the tokens are in the application's own store. A
    /// permission is asked for then; the next start of the application finds the answer, and takes its sign-in along.
    /// Once the agent keeps the tokens they are nowhere else: while it does not answer, or after it took the permission
    /// back, every use of the store fails.
    public final class AgentVendorGroupStore: TokenStore {
        /// How often a change begins again because another application was faster each time.
        package static let attemptLimit = 16

        /// What the agent told last.
        struct Known: Sendable {
            let bytes: [UInt8]?
            let tag: String
            var stamp: TokenStoreStamp { AgentVendorGroupStore.stamp(of: self.tag) }
        }

        private struct State {
            /// `nil` before the first use.
            var isKeptByAgent: Bool?
            var known: Known?
        }

        private let link: VendorGroupLink
        private let state = Mutex(State())
        /// The store where the agent keeps none.
        package let ownStore: any TokenStore

        /// - Parameters:
        ///   - group: the vendor. The agent goes by the name alone.
        ///   - socketPath: where the agent listens.
        ///   - ownStore: the store where the agent keeps none for this application; `nil` for the
        ///     ``VendorGroupStore`` of the group. With a ``MemoryStore`` the tokens are never in a file of the user.
        public convenience init(
            group: VendorGroup, socketPath: String = AgentPlatformSSO.defaultSocketPath,
            ownStore: (any TokenStore)? = nil
        ) {
            self.init(
                group: group, ownStore: ownStore ?? VendorGroupStore(group: group), socketPath: socketPath,
                transport: HTTPClient())
        }

        package init(
            group: VendorGroup, ownStore: any TokenStore, socketPath: String, transport: any Transport
        ) {
            self.ownStore = ownStore
            self.link = VendorGroupLink(group.identifier, socketPath: socketPath, transport: transport)
        }

        /// Whether the agent keeps the tokens of this application, and not its own store.
        /// - Throws: when there is an agent that does not say so.
        public func isKeptByAgent() async throws(TokenStoreError) -> Bool {
            if let known = self.state.withLock({ $0.isKeptByAgent }) { return known }
            let found = try await self.link.isMember()
            // Two first uses at once ask twice, and go by the same answer.
            return self.state.withLock { state in
                let isKept = state.isKeptByAgent ?? found
                state.isKeptByAgent = isKept
                return isKept
            }
        }

        /// The stamp of the last content that the agent told, or of the application's own store. Does not ask the agent:
        /// ``currentStamp()`` does.
        public func stamp() throws(TokenStoreError) -> TokenStoreStamp {
            let (isKept, known) = self.state.withLock { ($0.isKeptByAgent, $0.known) }
            if isKept == false { return try self.ownStore.stamp() }
            return known?.stamp ?? TokenStoreStamp()
        }

        /// See ``AccessEnabler/TokenStore/currentStamp()``. Asks the agent each time, so a permission that was taken back
        /// ends the use at once.
        public func currentStamp() async throws(TokenStoreError) -> TokenStoreStamp {
            guard try await self.isKeptByAgent() else { return try await self.ownStore.currentStamp() }
            return try await self.look().stamp
        }

        /// See ``AccessEnabler/TokenStore/content()``.
        public func content() async throws(TokenStoreError) -> TokenStoreContent {
            guard try await self.isKeptByAgent() else { return try await self.ownStore.content() }
            let known = try await self.look()
            return TokenStoreContent(bytes: known.bytes, stamp: known.stamp)
        }

        /// See ``AccessEnabler/TokenStore/transaction(_:)``. Where another application changed the content meanwhile the
        /// change begins again with that.
        public func transaction(
            _ change: @escaping @Sendable ([UInt8]?) throws(TokenStoreError) -> TokenStoreChange
        ) async throws(TokenStoreError) -> TokenStoreOutcome {
            guard try await self.isKeptByAgent() else { return try await self.ownStore.transaction(change) }
            for _ in 0..<Self.attemptLimit {
                let known = try await self.look()
                let change = try change(known.bytes)
                guard let content = change.content else { return TokenStoreOutcome(stamp: known.stamp) }
                guard let kept = try await self.link.replace(with: content, former: change.former, knowing: known.tag)
                else { continue }
                self.state.withLock { $0.known = Known(bytes: content, tag: kept.tag) }
                return TokenStoreOutcome(stamp: Self.stamp(of: kept.tag), setAside: kept.setAside)
            }
            throw TokenStoreError("other applications of the vendor group change the agent's store all the time")
        }

        /// See ``AccessEnabler/PrivateFileStore/setAside()``; the file is the agent's.
        public func setAside() async throws(TokenStoreError) -> String? {
            guard try await self.isKeptByAgent() else { return try await self.ownStore.setAside() }
            return try await self.link.setAside()
        }

        /// See ``AccessEnabler/PrivateFileStore/contentSetAside(schema:)``; the file is the agent's.
        public func contentSetAside(schema: Int) async throws(TokenStoreError) -> [UInt8]? {
            guard try await self.isKeptByAgent() else { return try await self.ownStore.contentSetAside(schema: schema) }
            return try await self.link.contentSetAside(schema: schema)
        }

        /// An element after each change that another application of the group made, such as a sign-in or a logout: a good
        /// moment for ``AccessEnabler/AccessEnabler/checkAuthentication()``. Several changes may come as one. Ends at once
        /// where the agent does not keep the store, and else with its task.
        public var changes: AsyncStream<Void> {
            let follower = VendorGroupFollower(self.link) { [weak self] in self?.state.withLock { $0.known?.tag } }
            return AsyncStream(unfolding: {
                guard (try? await self.isKeptByAgent()) == true else { return nil }
                return await follower.next()
            })
        }

        /// The content as it is now.
        private func look() async throws(TokenStoreError) -> Known {
            let former = self.state.withLock { $0.known }
            switch try await self.link.content(knowing: former?.tag) {
            case .same:
                guard let former else { throw VendorGroupLink.unreadable }
                return former
            case .other(let bytes, let tag):
                let known = Known(bytes: bytes, tag: tag)
                self.state.withLock { $0.known = known }
                return known
            }
        }

        private static func stamp(of tag: String) -> TokenStoreStamp {
            var numbers: [Int64] = [0, 0]
            for (index, byte) in Digest.sha256(tag.utf8).prefix(16).enumerated() {
                numbers[index / 8] = numbers[index / 8] << 8 | Int64(byte)
            }
            return TokenStoreStamp(numbers[0], numbers[1])
        }
    }
}
