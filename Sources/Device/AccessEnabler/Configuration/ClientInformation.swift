import Clientless

/// What a box says of itself with every request (`X-Device-Info`, rest-v1 5).
public struct ClientInformation: Sendable, Hashable {
    /// The model, free text; documented as mandatory on the wire.
    public var model = "Unknown"
    /// What people call the box, such as `Living room`.
    public var name: String?
    /// Who made the box.
    public var manufacturer: String?
    /// The generation of the device, free text.
    public var version: String?
    /// A value of the closed list, such as `SetTopBox` or `MediaPlayer`.
    public var primaryHardwareType = "SetTopBox"
    /// The operating system, a value of the closed list.
    public var osName = "Linux"
    /// Its version, free text.
    public var osVersion: String?
    /// The application that asks.
    public var applicationID: String?

    /// What is said of a box nothing is known of.
    public init() {}

    /// The header's value.
    var encoded: String {
        var information = DeviceInformation()
        information.primaryHardwareType = PrimaryHardwareType(rawValue: self.primaryHardwareType) ?? .unknown
        information.model = self.model
        information.manufacturer = self.manufacturer
        information.version = self.version
        information.osName = self.osName
        information.osFamily = "Linux"
        information.osVersion = self.osVersion
        information.applicationId = self.applicationID
        // The table of rest-v1 5 has no place for a name; unknown members are kept, and our server shows this one.
        if let name = self.name { information.foreign = [.init("name", .string(name))] }
        return information.encoded
    }
}
