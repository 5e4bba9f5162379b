import Cryptography
import FoundationEssentials

extension BoxModel {
    /// The members of the normalised client information that reports count by (rest-v1 5).
    private struct Information: Decodable {
        struct System: Decodable {
            let name: String?
        }

        let type: String?
        let operatingSystem: System?
    }

    /// - Parameter deviceType: what the box called itself when it asked for its code; counts where its information does
    ///   not say.
    init(_ box: BoxDescription, deviceType: String?) {
        let bytes = box.deviceInformation.flatMap { Base64.decode($0) } ?? []
        let information = try? JSONDecoder().decode(Information.self, from: Data(bytes))
        self.init(
            deviceType: information?.type ?? deviceType, platform: information?.operatingSystem?.name)
    }
}
