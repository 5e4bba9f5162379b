public import FoundationEssentials

extension AccessEnabler {
    /// The short-lived, signed token for one playback of one resource (access-enabler 11.1). It is never kept.
    public struct MediaToken: Sendable, Hashable {
        /// The token exactly as the server sent it, for the playback back end (access-enabler D-36).
        public let token: String
        /// The resource it is for.
        public let resource: String
        /// When it runs out, if the token says so; the verifier alone enforces it.
        public let expires: Date?
    }
}

// The text is enough to play; it must not reach a log by interpolation.
extension AccessEnabler.MediaToken: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never the token: it must not reach a log.
    public var description: String { "<media token>" }
    /// Never the token: it must not reach a log.
    public var debugDescription: String { "<media token>" }
}
