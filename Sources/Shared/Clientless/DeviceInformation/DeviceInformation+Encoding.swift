import Cryptography

extension DeviceInformation {
    /// The value for `X-Device-Info`: Base 64 of ``json``, padded. In a query or form value it is percent-encoded.
    package var encoded: String { Base64.encode(self.json.utf8) }

    /// The flat JSON object, known members first, without those that have no value.
    package var json: String {
        let members = Self.known.compactMap { name, member -> JSONValue.Member? in
            let value: JSONValue? =
                switch member {
                case .type: self.primaryHardwareType.map { .string($0.rawValue) }
                case .text(let path): self[keyPath: path].map { .string($0) }
                case .number(let path): self[keyPath: path].map { .integer(Int64($0)) }
                case .size: self.diagonalScreenSize.map { .double($0) }
                case .secure: self.connectionSecure.map { .boolean($0) }
                }
            return value.map { .init(name, $0) }
        }
        return JSONValue.object(members + self.foreign).text
    }
}

/// The closed list of `primaryHardwareType` (rest-v1 5).
package enum PrimaryHardwareType: String, CaseIterable, Hashable, Sendable {
    case camera = "Camera"
    case dataCollectionTerminal = "DataCollectionTerminal"
    case desktop = "Desktop"
    case embeddedNetworkModule = "EmbeddedNetworkModule"
    case eReader
    case gamesConsole = "GamesConsole"
    case geolocationTracker = "GeolocationTracker"
    case glasses = "Glasses"
    case mediaPlayer = "MediaPlayer"
    case mobilePhone = "MobilePhone"
    case paymentTerminal = "PaymentTerminal"
    case pluginModem = "PluginModem"
    case setTopBox = "SetTopBox"
    case tv = "TV"
    case tablet = "Tablet"
    case wirelessHotspot = "WirelessHotspot"
    case wristwatch = "Wristwatch"
    case unknown = "Unknown"
}
