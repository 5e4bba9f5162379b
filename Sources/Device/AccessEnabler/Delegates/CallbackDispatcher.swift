extension AccessEnabler {
    /// A runner of callbacks (access-enabler 2.1). The library hands over the next one only when the last has returned.
    public protocol CallbackDispatcher: Sendable {
        /// Runs `callback`, and returns when it has returned.
        func deliver(_ callback: @escaping @Sendable () -> Void) async
    }

    /// Runs callbacks on the main actor, so that they may touch what is drawn. The default.
    public struct MainActorDispatcher: CallbackDispatcher {
        /// A dispatcher; any number do the same.
        public init() {}

        /// Runs `callback` on the main actor.
        public func deliver(_ callback: @escaping @Sendable () -> Void) async { await MainActor.run { callback() } }
    }

    /// Runs callbacks on the library's own task, for programs without a main run loop.
    public struct InlineDispatcher: CallbackDispatcher {
        /// A dispatcher; any number do the same.
        public init() {}

        /// Runs `callback` at once.
        public func deliver(_ callback: @escaping @Sendable () -> Void) async { callback() }
    }
}
