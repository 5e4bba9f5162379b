import Clientless
import Synchronization

/// Waits for the changes that other applications make in the agent's store of a vendor group.
final class VendorGroupFollower: Sendable {
    /// Seconds that the agent holds a question about events.
    private static let wait = 55
    /// Before the agent is asked again that did not answer, or did not permit.
    private static let pause: Duration = .seconds(30)

    private let link: VendorGroupLink
    /// The tag of the content that this application knows: its own changes are no news.
    private let knownTag: @Sendable () -> String?
    /// The number that the next events come after; `nil` before the first answer.
    private let number = Mutex<Int64?>(nil)

    init(_ link: VendorGroupLink, knownTag: @escaping @Sendable () -> String?) {
        self.link = link
        self.knownTag = knownTag
    }

    /// Returns after the next change. - Returns: `nil` when its task was cancelled.
    func next() async -> Void? {
        while !Task.isCancelled {
            do throws(AccessEnabler.TokenStoreError) {
                if try await self.look() { return () }
            } catch {
                guard (try? await Task.sleep(for: Self.pause)) != nil else { return nil }
            }
        }
        return nil
    }

    /// Asks the agent once. - Returns: whether another application changed the store.
    private func look() async throws(AccessEnabler.TokenStoreError) -> Bool {
        let (events, next) = try await self.link.events(after: self.number.withLock { $0 }, wait: Self.wait)
        self.number.withLock { $0 = next }
        return events.contains { event in
            switch event["event"]?.string {
            case "store_changed":
                event["group"]?.string == self.link.group
                    && event["contentVersion"]?.string.map { "\"\($0)\"" } != self.knownTag()
            // What was not kept may have been such a change; so it is after a restart of the agent.
            case "gap": true
            default: false
            }
        }
    }
}
