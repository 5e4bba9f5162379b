/// The box's self-description in `X-Device-Info` or `device_info` (rest-v1 5).
///
/// Everything in it is a stranger's claim and is shown to people: texts are at most ``maximumTextLength`` bytes, and
/// hold no control characters and none of the invisible ones that can reverse or hide what is read.
package struct DeviceInformation: Hashable, Sendable {
    /// The longest text kept of one value, in bytes; what is longer is cut.
    package static let maximumTextLength = 256
    /// The most members kept that we do not know.
    package static let maximumForeignMembers = 32

    package var primaryHardwareType: PrimaryHardwareType?
    package var model: String?
    /// The generation of the device, free text.
    package var version: String?
    package var manufacturer: String?
    package var vendor: String?
    package var osName: String?
    package var osFamily: String?
    package var osVendor: String?
    package var osVersion: String?
    package var browserName: String?
    package var browserVendor: String?
    package var browserVersion: String?
    package var userAgent: String?
    /// In pixels, 0 to 100,000.
    package var displayWidth: Int?
    /// In pixels, 0 to 100,000.
    package var displayHeight: Int?
    /// In pixels per inch, 0 to 100,000.
    package var displayPpi: Int?
    /// In inches, 0 to 100,000.
    package var diagonalScreenSize: Double?
    /// The device's address as it sees it itself.
    package var connectionIp: String?
    package var connectionPort: String?
    /// Such as `WiFi`, `LAN`, `3G`.
    package var connectionType: String?
    package var connectionSecure: Bool?
    package var applicationId: String?
    /// Members we do not know, by name; kept, not interpreted.
    package var foreign: [JSONValue.Member] = []

    package init() {}

    enum Member: Sendable {
        case type, size, secure
        case text(any WritableKeyPath<DeviceInformation, String?> & Sendable)
        case number(any WritableKeyPath<DeviceInformation, Int?> & Sendable)
    }

    /// The members that we know, in the order of rest-v1 5.
    static let known: [(name: String, member: Member)] = [
        ("primaryHardwareType", .type), ("model", .text(\.model)), ("version", .text(\.version)),
        ("manufacturer", .text(\.manufacturer)), ("vendor", .text(\.vendor)), ("osName", .text(\.osName)),
        ("osFamily", .text(\.osFamily)), ("osVendor", .text(\.osVendor)), ("osVersion", .text(\.osVersion)),
        ("browserName", .text(\.browserName)), ("browserVendor", .text(\.browserVendor)),
        ("browserVersion", .text(\.browserVersion)), ("userAgent", .text(\.userAgent)),
        ("displayWidth", .number(\.displayWidth)), ("displayHeight", .number(\.displayHeight)),
        ("displayPpi", .number(\.displayPpi)), ("diagonalScreenSize", .size),
        ("connectionIp", .text(\.connectionIp)), ("connectionPort", .text(\.connectionPort)),
        ("connectionType", .text(\.connectionType)), ("connectionSecure", .secure),
        ("applicationId", .text(\.applicationId)),
    ]

    /// A text as it may be kept and shown, or `nil` when nothing is left of it.
    static func displayable(_ text: String) -> String? {
        var kept = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned: continue
            default: break
            }
            guard kept.utf8.count + UTF8.width(scalar) <= Self.maximumTextLength else { break }
            kept.unicodeScalars.append(scalar)
        }
        return kept.isEmpty ? nil : kept
    }
}
