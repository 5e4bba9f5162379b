import Clientless
import FoundationEssentials

extension AccessEnabler {
    /// The description of the box that goes with every request (access-enabler 7.3.1; `X-Device-Info`, rest-v1 5).
    ///
    /// The library finds most of it out: a value that is `nil` is taken from the system if the system knows it. An
    /// application sets the values that it knows better.
    public struct ClientInformation: Sendable, Hashable {
        /// The name that viewers know the box by, such as `Living room`.
        public var name: String?
        /// A value of the closed list, such as `SetTopBox` or `MediaPlayer`.
        public var primaryHardwareType = "SetTopBox"
        /// The model, free text; `nil` for that of the device tree or of DMI.
        public var model: String?
        /// The revision of the hardware, free text; `nil` for that of DMI.
        public var version: String?
        /// The maker; `nil` for that of DMI.
        public var manufacturer: String?
        /// The company whose name is on the box; `nil` for the maker.
        public var vendor: String?
        /// The operating system, a value of the closed list.
        public var osName = "Linux"
        /// The operating system's family, a value of the closed list.
        public var osFamily = "Linux"
        /// The distribution, such as `debian`; `nil` for that of os-release(5).
        public var osVendor: String?
        /// Its version; `nil` for that of os-release(5).
        public var osVersion: String?
        /// The browser the application lives in, where it lives in one.
        public var browserName: String?
        /// The maker of that browser.
        public var browserVendor: String?
        /// The version of that browser.
        public var browserVersion: String?
        /// The `User-Agent` of that browser.
        public var userAgent: String?
        /// The display's width in pixels; `nil` for that of the display that is attached.
        public var displayWidth: Int?
        /// The display's height in pixels; `nil` for that of the display that is attached.
        public var displayHeight: Int?
        /// The display's pixels per inch.
        public var displayPpi: Int?
        /// The display's diagonal in inches.
        public var diagonalScreenSize: Double?
        /// `WiFi` or `LAN`; `nil` for that of the default route.
        public var connectionType: String?
        /// Whether the connection is safe from listeners; `nil` for `true` on a wired one.
        public var connectionSecure: Bool?
        /// The application that asks; `nil` for ``AccessEnabler/Configuration/applicationID``.
        public var applicationID: String?

        /// Information that the library completes.
        public init() {}

        /// The header's value.
        /// - Parameters:
        ///   - facts: the system's values, for those that the application left open.
        ///   - applicationID: the application, where it did not say so itself.
        func encoded(completedBy facts: BoxFacts, applicationID: String) -> String {
            var information = DeviceInformation()
            information.primaryHardwareType = PrimaryHardwareType(rawValue: self.primaryHardwareType) ?? .unknown
            information.model = self.model ?? facts.model ?? "Unknown"
            information.version = self.version ?? facts.version
            information.manufacturer = self.manufacturer ?? facts.manufacturer
            information.vendor = self.vendor ?? self.manufacturer ?? facts.manufacturer
            information.osName = self.osName
            information.osFamily = self.osFamily
            information.osVendor = self.osVendor ?? facts.osVendor
            information.osVersion = self.osVersion ?? facts.osVersion
            information.browserName = self.browserName
            information.browserVendor = self.browserVendor
            information.browserVersion = self.browserVersion
            information.userAgent = self.userAgent
            information.displayWidth = self.displayWidth ?? facts.display?.width
            information.displayHeight = self.displayHeight ?? facts.display?.height
            information.displayPpi = self.displayPpi
            information.diagonalScreenSize = self.diagonalScreenSize
            information.connectionType = self.connectionType ?? facts.connectionType
            // Of a wired connection alone it is known.
            information.connectionSecure = self.connectionSecure ?? (information.connectionType == "LAN" ? true : nil)
            information.applicationId = self.applicationID ?? (applicationID.isEmpty ? nil : applicationID)
            // The table of rest-v1 5 has no place for a name; unknown members are kept, and our server shows this one.
            if let name = self.name { information.foreign = [.init("name", .string(name))] }
            return information.encoded
        }
    }
}

/// The address of one entitlement server: `https`, or `http` on the box itself (access-enabler D-01).
package struct ServiceProviderURL: Hashable, Sendable, CustomStringConvertible {
    /// Without a slash at its end.
    package let text: String

    /// - Parameter allowsPlainHTTP: also where the way is not the box's own.
    /// - Returns: `nil` for anything that must not be contacted.
    package init?(_ text: String, allowsPlainHTTP: Bool = false) {
        guard text.utf8.count <= 2048, let url = URLComponents(string: text), let host = url.host, !host.isEmpty,
            url.user == nil, url.password == nil, url.query == nil, url.fragment == nil
        else { return nil }
        switch url.scheme?.lowercased() {
        case "https": break
        case "http" where allowsPlainHTTP || Self.isLoopback(host): break
        default: return nil
        }
        var text = text
        while text.hasSuffix("/") { text.removeLast() }
        self.text = text
    }

    package var description: String { self.text }

    private static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
