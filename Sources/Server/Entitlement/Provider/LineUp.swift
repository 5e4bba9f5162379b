package import Clientless
import TextCoding

/// The channels of a viewer's package.
package struct LineUp: Sendable {
    private static let everything = "*"

    /// In the order of their hashes; none where every channel counts.
    private let entries: [(hash: UInt32, name: [UInt8])]
    private let hasEverything: Bool

    package init(entries: [String]) {
        self.hasEverything = entries.contains(Self.everything)
        self.entries = (self.hasEverything ? [] : entries).map { entry in
            let name = Array(entry.utf8)
            return (hash: name.span.hash, name: name)
        }.sorted { $0.hash < $1.hash }
    }

    /// About how many bytes it takes.
    var size: Int { self.entries.reduce(0) { $0 + 64 + $1.name.count } }

    /// Whether a name, in UTF-8, is one of the channels.
    /// - Parameter hash: of the name, where it is known.
    package func has(_ name: Span<UInt8>, hash: UInt32? = nil) -> Bool {
        let hash = hash ?? name.hash
        var (low, high) = (0, self.entries.count)
        while low < high {
            let middle = (low + high) / 2
            if self.entries[middle].hash < hash { low = middle + 1 } else { high = middle }
        }
        while low < self.entries.count, self.entries[low].hash == hash {
            let entry = self.entries[low].name
            if entry.span.elementsEqual(name) { return true }
            low += 1
        }
        return self.hasEverything
    }

    /// Decides on a channel name or an MRSS fragment; of the latter its channel title counts (rest-v1 23).
    package func decide(_ resource: Resource) -> Decision {
        let channel: String
        do throws(MalformedResource) { channel = try resource.channelTitle() } catch {
            return .deny(reason: "This is not a channel.")
        }
        let isIncluded = self.has(channel.utf8.span) || resource.isMediaRSS && self.has(resource.text.utf8.span)
        return isIncluded ? .permit : .deny(reason: Self.sentence(without: channel))
    }

    /// The sentence on a channel that is missing. The channel came from outside, and is told to the viewer if it can be read.
    package static func sentence(without channel: String) -> String {
        let isName =
            channel.utf8.count <= 80 && channel.utf8.span.isPrintable
            || channel.utf8.count <= 320 && channel.count <= 80
                && channel.unicodeScalars.allSatisfy { ![.control, .format].contains($0.properties.generalCategory) }
        return "\(isName ? channel : "This channel") is not part of your package."
    }
}
