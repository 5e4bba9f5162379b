import Cryptography

extension DeviceInformation {
    /// The value for `X-Device-Info`: Base 64 of ``json``, padded. In a query or form value it is percent-encoded.
    package var encoded: String { Base64.encode(self.json.utf8) }

    /// The flat JSON object, known members first in the order of rest-v1 5, without those that are not known.
    package var json: String {
        var members: [JSONValue.Member] = []
        if let type = self.primaryHardwareType { members.append(.init("primaryHardwareType", .string(type.rawValue))) }
        for (name, path) in Self.texts where !Self.isAboutConnection(path) { self.append(name, path, to: &members) }
        for (name, path) in Self.numbers {
            if let number = self[keyPath: path] { members.append(.init(name, .integer(Int64(number)))) }
        }
        if let size = self.diagonalScreenSize { members.append(.init("diagonalScreenSize", .double(size))) }
        for (name, path) in Self.texts where Self.isAboutConnection(path) {
            self.append(name, path, to: &members)
            if path == \.connectionType, let secure = self.connectionSecure {
                members.append(.init("connectionSecure", .boolean(secure)))
            }
        }
        return JSONValue.object(members + self.foreign).text
    }

    private func append(
        _ name: String, _ path: KeyPath<DeviceInformation, String?>, to members: inout [JSONValue.Member]
    ) {
        if let text = self[keyPath: path] { members.append(.init(name, .string(text))) }
    }

    /// The members after the sizes of the display.
    private static func isAboutConnection(_ path: KeyPath<DeviceInformation, String?>) -> Bool {
        path == \.connectionIp || path == \.connectionPort || path == \.connectionType || path == \.applicationId
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
