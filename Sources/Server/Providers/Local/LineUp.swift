import Clientless
import Entitlement

/// The channels of an account's package.
struct LineUp {
    /// Stands for every channel.
    static let everything = "*"

    private let entries: Set<ExactText>
    private let hasEverything: Bool

    init(entries: [String]) {
        self.entries = Set(entries.map { ExactText($0) })
        self.hasEverything = entries.contains(Self.everything)
    }

    /// Decides on a channel name or an MRSS fragment; of the latter its channel title counts (rest-v1 23).
    func decide(_ resource: Resource) -> Decision {
        let channel: String
        do throws(MalformedResource) { channel = try resource.channelTitle() } catch {
            return .deny(reason: "This is not a channel.")
        }
        let isIncluded =
            self.hasEverything || self.entries.contains(ExactText(channel))
            || resource.isMediaRSS && self.entries.contains(ExactText(resource.text))
        return isIncluded ? .permit : .deny(reason: DenialReason(missingChannel: channel))
    }
}
