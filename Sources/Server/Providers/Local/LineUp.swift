import Clientless
import Entitlement
import TextCoding

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
        return isIncluded ? .permit : .deny(reason: Self.refusal(of: channel))
    }

    /// The sentence names the channel when it can be read as a name: it came from outside, and a viewer reads it.
    private static func refusal(of channel: String) -> DenialReason {
        let isName =
            channel.utf8.count <= 80 && channel.utf8.span.isPrintable
            || channel.utf8.count <= 320 && channel.count <= 80
                && channel.unicodeScalars.allSatisfy { ![.control, .format].contains($0.properties.generalCategory) }
        return DenialReason(isName ? channel : "This channel", " is not part of your package.")
    }
}
