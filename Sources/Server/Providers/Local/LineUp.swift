import Clientless

/// The channels of an account.
struct LineUp: Hashable, Sendable {
    /// The entry that stands for every channel.
    static let everything = "*"

    private let channels: Set<String>

    init(_ channels: [String]) {
        self.channels = Set(channels)
    }

    /// Decides by the channel of `resource`: the identifier itself, or the title of an MRSS fragment (rest-v1 23).
    func permits(_ resource: Resource) -> Bool {
        if self.channels.contains(Self.everything) { return true }
        guard let channel = try? resource.channelTitle() else { return false }
        return self.channels.contains(channel)
    }
}
