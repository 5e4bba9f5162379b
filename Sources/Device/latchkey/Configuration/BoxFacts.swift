import AccessEnabler
import FoundationEssentials

/// What this machine says of itself, for the confirmation page.
enum BoxFacts {
    static let programVersion = "0.1.0"

    /// The real values of the box; `model` and `name` of the configuration win.
    static func clientInformation(model: String?, name: String?) -> ClientInformation {
        var information = ClientInformation()
        let found = line(of: "/sys/devices/virtual/dmi/id/product_name") ?? line(of: "/proc/device-tree/model")
        information.model = model ?? found ?? "Linux box"
        information.manufacturer = line(of: "/sys/devices/virtual/dmi/id/sys_vendor")
        information.name = name ?? systemName()
        information.version = systemRelease()
        information.osName = "Linux"
        information.osVersion = osRelease() ?? systemRelease()
        information.applicationID = "latchkey/\(programVersion)"
        return information
    }

    /// `PRETTY_NAME` of os-release(5).
    private static func osRelease() -> String? {
        guard let text = content(of: "/etc/os-release") ?? content(of: "/usr/lib/os-release") else { return nil }
        for line in text.split(separator: "\n") where line.hasPrefix("PRETTY_NAME=") {
            let value = line.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" && $0 != "'" }
            return value.isEmpty ? nil : String(value.prefix(128))
        }
        return nil
    }

    private static func systemName() -> String? {
        line(of: "/proc/sys/kernel/hostname")
    }

    private static func systemRelease() -> String? {
        line(of: "/proc/sys/kernel/osrelease")
    }

    /// The first line of a small file, without the NUL that ends device-tree texts.
    private static func line(of path: String) -> String? {
        guard let text = content(of: path) else { return nil }
        let line = text.split(whereSeparator: { $0.isNewline || $0 == "\u{0}" }).first.map { String($0.prefix(128)) }
        return line?.isEmpty == false ? line : nil
    }

    private static func content(of path: String) -> String? {
        guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= 64 << 10 else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
