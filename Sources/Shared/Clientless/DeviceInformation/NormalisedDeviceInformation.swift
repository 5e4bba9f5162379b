import Cryptography
import TextCoding

/// The long form of the client information, as the registration record returns it (rest-v1 5). To clients it is opaque.
package struct NormalisedDeviceInformation: Hashable, Sendable {
    private let said: DeviceInformation
    /// Up to the value of the last member, which tells of a request.
    private let start: [UInt8]

    /// - Parameter userAgent: counts if the device did not say it.
    package init(_ information: DeviceInformation, userAgent: String?) {
        let (model, version) = (Self.text(information.model), Self.version(information.version))
        let agent = Self.text(information.userAgent ?? userAgent.flatMap(DeviceInformation.displayable))
        self.said = information
        let device: JSONValue = [
            "type": .string((information.primaryHardwareType ?? .unknown).rawValue), "model": model, "version": version,
            "hardware": [
                "name": model, "vendor": Self.text(information.vendor), "version": version,
                "manufacturer": Self.text(information.manufacturer),
            ],
            "operatingSystem": [
                "name": Self.text(information.osName, of: Self.systemNames),
                "family": Self.text(information.osFamily, of: Self.systemFamilies),
                "vendor": Self.text(information.osVendor, of: Self.systemVendors),
                "version": Self.version(information.osVersion),
            ],
            "browser": [
                "name": Self.text(information.browserName, of: Self.browserNames),
                "vendor": Self.text(information.browserVendor, of: Self.browserVendors),
                "version": Self.version(information.browserVersion), "userAgent": agent, "originalUserAgent": agent,
            ],
            "display": [
                "width": .integer(Int64(information.displayWidth ?? 0)),
                "height": .integer(Int64(information.displayHeight ?? 0)),
                "ppi": .integer(Int64(information.displayPpi ?? 0)), "name": "DISPLAY", "vendor": .null,
                "version": .null, "diagonalSize": information.diagonalScreenSize.map(JSONValue.double) ?? .null,
            ],
            "applicationId": Self.text(information.applicationId),
        ]
        self.start = device.bytes.dropLast() + Array(#","connection":"#.utf8)
    }

    /// The value of the record's `info.deviceInfo`, with what the request shows where the device did not say it.
    package func base64(address: String?, port: UInt16?, isSecure: Bool) -> String {
        var form = self.start
        func add(_ name: String, _ text: String?) {
            form += name.utf8
            JSONText.append(text ?? "Unknown", to: &form)
        }
        add(#"{"ipAddress":"#, self.said.connectionIp ?? address)
        add(#","port":"#, self.said.connectionPort ?? port.map { String($0) })
        form += (self.said.connectionSecure ?? isSecure ? #","secure":true"# : #","secure":false"#).utf8
        add(#","type":"#, self.said.connectionType)
        form += "}}".utf8
        return Base64.encode(form)
    }

    /// The type of the device and the name of its system in the Base 64 of such a form. Both are words of closed lists.
    /// They are found by the marks in front of them, which no text within can hold: it would have to escape them.
    package static func kind(in base64: String) -> (type: String?, system: String?) {
        let json = Base64.decode(base64) ?? []
        return (Self.word(behind: #"{"type":""#, in: json), Self.word(behind: #"operatingSystem":{"name":""#, in: json))
    }

    private static func word(behind mark: String, in json: [UInt8]) -> String? {
        let (bytes, mark) = (json.span, mark.utf8.span)
        let place = (0..<max(0, bytes.count - mark.count)).first {
            bytes[$0] == mark[0] && bytes.extracting($0..<$0 + mark.count).elementsEqual(mark)
        }
        return place.map { String(decoding: json[($0 + mark.count)...].prefix { $0 != 0x22 }, as: UTF8.self) }
    }

    /// A word of a closed list; any other counts as unknown.
    private static func text(_ text: String?, of list: Set<String>) -> JSONValue {
        self.text(text.flatMap { list.contains($0) ? $0 : nil })
    }

    private static func text(_ text: String?) -> JSONValue { .string(text ?? "Unknown") }

    /// The first three numbers of a version; a part that is no number counts as 0.
    private static func version(_ text: String?) -> JSONValue {
        let parts = (text ?? "").split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        func part(_ place: Int) -> JSONValue {
            .integer(place < parts.count ? Int64(parts[place].prefix { $0.isASCII && $0.isNumber }.prefix(9)) ?? 0 : 0)
        }
        return ["major": part(0), "minor": part(1), "patch": part(2), "profile": ""]
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
