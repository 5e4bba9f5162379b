import Cryptography
import FoundationEssentials

extension BoxModel {
    /// The members of the normalised client information that reports count by (rest-v1 5).
    private struct Information: Decodable, Sendable {
        struct System: Decodable, Sendable {
            let name: String?
        }

        let type: String?
        let operatingSystem: System?
    }

    /// The information that was read last. A box says the same several times on the way to a sign-in.
    private static let read = BoundedMemory<String, Information?>(bound: 1024)

    private static func information(_ text: String) -> Information? {
        if let known = self.read[text] { return known }
        let read = Base64.decode(text).flatMap { try? JSONDecoder().decode(Information.self, from: Data($0)) }
        return self.read.update(text, initial: read) { $0 }
    }

    /// - Parameter deviceType: what the box called itself when it asked for its code; counts where its information does
    ///   not say.
    init(_ box: BoxDescription, deviceType: String?) {
        let information = box.deviceInformation.flatMap(Self.information)
        self.init(
            deviceType: information?.type ?? deviceType, platform: information?.operatingSystem?.name)
    }
}
