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
