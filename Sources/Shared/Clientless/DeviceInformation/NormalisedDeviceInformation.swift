import Cryptography

/// The long form of the client information, as the registration record returns it (rest-v1 5). To clients it is opaque.
package struct NormalisedDeviceInformation: Hashable, Sendable {
    package let json: String

    /// Builds the form from what the device said, then from what the request shows.
    package init(
        _ information: DeviceInformation, userAgent: String?, address: String?, port: UInt16?, isSecure: Bool
    ) {
        let version = Self.version(information.version)
        let agent = information.userAgent ?? userAgent.flatMap(DeviceInformation.displayable)
        self.json =
            JSONValue.object([
                .init("type", .string((information.primaryHardwareType ?? .unknown).rawValue)),
                .init("model", Self.text(information.model)),
                .init("version", version),
                .init(
                    "hardware",
                    .object([
                        .init("name", Self.text(information.model)), .init("vendor", Self.text(information.vendor)),
                        .init("version", version), .init("manufacturer", Self.text(information.manufacturer)),
                    ])),
                .init("operatingSystem", Self.operatingSystem(information)),
                .init("browser", Self.browser(information, agent: agent)),
                .init("display", Self.display(information)),
                .init("applicationId", Self.text(information.applicationId)),
                .init(
                    "connection",
                    .object([
                        .init("ipAddress", Self.text(information.connectionIp ?? address)),
                        .init("port", Self.text(information.connectionPort ?? port.map(String.init))),
                        .init("secure", .boolean(information.connectionSecure ?? isSecure)),
                        .init("type", Self.text(information.connectionType)),
                    ])),
            ]).text
    }

    /// The value of the record's `info.deviceInfo`.
    package var base64: String { Base64.encode(self.json.utf8) }

    private static func operatingSystem(_ information: DeviceInformation) -> JSONValue {
        .object([
            .init("name", Self.text(information.osName, of: Self.systemNames)),
            .init("family", Self.text(information.osFamily, of: Self.systemFamilies)),
            .init("vendor", Self.text(information.osVendor, of: Self.systemVendors)),
            .init("version", Self.version(information.osVersion)),
        ])
    }

    private static func browser(_ information: DeviceInformation, agent: String?) -> JSONValue {
        .object([
            .init("name", Self.text(information.browserName, of: Self.browserNames)),
            .init("vendor", Self.text(information.browserVendor, of: Self.browserVendors)),
            .init("version", Self.version(information.browserVersion)),
            .init("userAgent", Self.text(agent)), .init("originalUserAgent", Self.text(agent)),
        ])
    }

    private static func display(_ information: DeviceInformation) -> JSONValue {
        .object([
            .init("width", .integer(Int64(information.displayWidth ?? 0))),
            .init("height", .integer(Int64(information.displayHeight ?? 0))),
            .init("ppi", .integer(Int64(information.displayPpi ?? 0))),
            .init("name", .string("DISPLAY")), .init("vendor", .null), .init("version", .null),
            .init("diagonalSize", information.diagonalScreenSize.map(JSONValue.double) ?? .null),
        ])
    }

    /// A word of a closed list; any other counts as unknown.
    private static func text(_ text: String?, of list: Set<String>) -> JSONValue {
        self.text(text.flatMap { list.contains($0) ? $0 : nil })
    }

    private static func text(_ text: String?) -> JSONValue { .string(text ?? "Unknown") }

    /// The first three numbers of a version; a part that is no number counts as 0.
    private static func version(_ text: String?) -> JSONValue {
        let parts = (text ?? "").split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        let numbers = (0..<3).map { index -> Int64 in
            guard index < parts.count else { return 0 }
            return Int64(parts[index].prefix { $0.isASCII && $0.isNumber }.prefix(9)) ?? 0
        }
        return .object([
            .init("major", .integer(numbers[0])), .init("minor", .integer(numbers[1])),
            .init("patch", .integer(numbers[2])), .init("profile", .string("")),
        ])
    }
}

// The closed lists of rest-v1 5.
extension NormalisedDeviceInformation {
    private static let systemNames: Set<String> = [
        "Android", "Chrome OS", "Linux", "Mac OS", "OS X", "OpenBSD", "Roku OS", "Windows", "iOS", "tvOS", "webOS",
    ]
    private static let systemFamilies: Set<String> = [
        "Android", "BSD", "Linux", "PlayStation OS", "Roku OS", "Symbian", "Tizen", "Windows", "iOS", "macOS", "tvOS",
        "webOS",
    ]
    private static let systemVendors: Set<String> = [
        "Amazon", "Apple", "Google", "LG", "Microsoft", "Mozilla", "Nintendo", "Nokia", "Roku", "Samsung", "Sony",
        "Tizen Project",
    ]
    private static let browserNames: Set<String> = [
        "Android Browser", "Chrome", "Edge", "Firefox", "Internet Explorer", "Opera", "Safari", "SeaMonkey",
        "Symbian Browser",
    ]
    private static let browserVendors: Set<String> = [
        "Amazon", "Apple", "Google", "Microsoft", "Motorola", "Mozilla", "Netscape", "Nintendo", "Nokia", "Samsung",
        "Sony Ericsson",
    ]
}
