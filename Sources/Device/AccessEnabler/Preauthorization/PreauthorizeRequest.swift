/// A question which resources may be watched, for locks in a list (access-enabler 14.3). It can be asked again and
/// again.
public struct PreauthorizeRequest: Sendable, Hashable {
    /// A cache that may answer, unless it is disabled.
    public enum Feature: String, Sendable, Hashable, CaseIterable {
        /// The library's cache.
        case localCache = "LOCAL_CACHE"
        /// The server's cache; without it the provider is asked.
        case remoteCache = "REMOTE_CACHE"
    }

    /// The resources in question, in this order.
    public let resources: [String]
    /// The caches that must not answer.
    public let disabledFeatures: Set<Feature>

    /// A question about `resources`, answered from any cache but the disabled ones.
    public init(resources: [String], disabledFeatures: Set<Feature> = []) {
        self.resources = resources
        self.disabledFeatures = disabledFeatures
    }

    /// Puts a request together, in the style of the original.
    public final class Builder {
        private var resources: [String] = []
        private var disabled: Set<Feature> = []

        /// An empty request.
        public init() {}

        /// Names the resources, in place of those named before.
        @discardableResult
        public func setResources(resources: [String]) -> Builder {
            self.resources = resources
            return self
        }

        /// Names the features to do without, in place of those named before.
        @discardableResult
        public func disableFeatures(features: Set<Feature>) -> Builder {
            self.disabled = features
            return self
        }

        /// A new request each time.
        public func build() -> PreauthorizeRequest {
            PreauthorizeRequest(resources: self.resources, disabledFeatures: self.disabled)
        }
    }
}
