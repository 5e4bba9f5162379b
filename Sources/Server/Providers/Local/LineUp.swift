import Clientless
import Entitlement

/// The channels of an account's package.
struct LineUp {
    /// Stands for every channel.
    static let everything = "*"

    let entries: [String]

    /// Decides on a channel name or an MRSS fragment; of the latter its channel title counts (rest-v1 23).
    func decide(_ resource: Resource) -> Decision {
        let channel: String
        do throws(MalformedResource) { channel = try resource.channelTitle() } catch {
            return .deny(reason: "This is not a channel.")
        }
        let isIncluded = self.entries.contains { entry in
            entry == Self.everything || entry.utf8.elementsEqual(channel.utf8)
                || entry.utf8.elementsEqual(resource.text.utf8)
        }
        return isIncluded ? .permit : .deny(reason: Self.refusal(of: channel))
    }

    /// The sentence names the channel when it can be read as a name: it came from outside, and a viewer reads it.
    private static func refusal(of channel: String) -> String {
        let isName =
            channel.count <= 80 && channel.utf8.count <= 320
            && channel.unicodeScalars.allSatisfy { ![.control, .format].contains($0.properties.generalCategory) }
        return isName ? "\(channel) is not part of your package." : "This channel is not part of your package."
    }
}
