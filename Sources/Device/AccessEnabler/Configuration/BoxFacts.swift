import POSIX

/// The system's facts about the box (access-enabler 7.3.1). Read once: they do not change while a program
/// runs, but for the way to the network, which is told as it was at the start.
struct BoxFacts: Sendable {
    private(set) var model: String?
    private(set) var version: String?
    private(set) var manufacturer: String?
    private(set) var osVendor: String?
    private(set) var osVersion: String?
    private(set) var display: (width: Int, height: Int)?
    private(set) var connectionType: String?

    /// - Parameter root: the folder that `/sys`, `/proc` and `/etc` are in: empty but in tests.
    init(root: String = "") {
        let dmi = "\(root)/sys/devices/virtual/dmi/id"
        let tree = "\(root)/proc/device-tree"
        self.model = Self.line("\(tree)/model") ?? Self.line("\(dmi)/product_name")
        self.version = Self.line("\(dmi)/product_version")
        self.manufacturer = Self.line("\(dmi)/sys_vendor") ?? Self.treeVendor("\(tree)/compatible")
        let release = Self.text("\(root)/etc/os-release") ?? Self.text("\(root)/usr/lib/os-release") ?? ""
        self.osVendor = Self.value("ID", in: release)
        self.osVersion = Self.value("VERSION_ID", in: release) ?? Self.line("\(root)/proc/sys/kernel/osrelease")
        self.display = Self.attachedDisplay("\(root)/sys/class/drm")
        self.connectionType = Self.connectionType(root)
    }

    /// The vendor of a device tree's first `compatible` text, such as `raspberrypi` of `raspberrypi,4-model-b`.
    private static func treeVendor(_ path: String) -> String? {
        self.line(path).flatMap { line in line.firstIndex(of: ",").map { String(line[..<$0]) } }
    }

    /// A value of os-release(5), without its quotes.
    private static func value(_ name: String, in release: String) -> String? {
        for line in release.split(separator: "\n") where line.hasPrefix("\(name)=") {
            let value = line.dropFirst(name.count + 1).filter { $0 != "\"" && $0 != "'" }
            return value.isEmpty ? nil : value
        }
        return nil
    }

    /// The preferred mode of the first connector with a display.
    private static func attachedDisplay(_ folder: String) -> (width: Int, height: Int)? {
        for name in ((try? Folder.names(in: folder)) ?? []).sorted()
        where self.line("\(folder)/\(name)/status") == "connected" {
            let mode = self.line("\(folder)/\(name)/modes")
            let sides = mode?.split(separator: "x").map { Int($0.prefix { $0.isNumber }) }
            guard let sides, sides.count == 2, let width = sides[0], let height = sides[1] else { continue }
            return (width, height)
        }
        return nil
    }

    /// The kind of connection that the default route of proc(5) goes over.
    private static func connectionType(_ root: String) -> String? {
        // Its columns are interface, destination, gateway and more; the destination of the default route is 0.
        let routes = self.text("\(root)/proc/net/route")?.split(separator: "\n").dropFirst() ?? []
        for route in routes {
            let columns = route.split(whereSeparator: \.isWhitespace)
            guard columns.count > 2, columns[1] == "00000000" else { continue }
            let device = "\(root)/sys/class/net/\(columns[0])"
            let isWireless = ["wireless", "phy80211"].contains { (try? FileVersion(of: "\(device)/\($0)")) != nil }
            return isWireless ? "WiFi" : "LAN"
        }
        return nil
    }

    /// The first line of a small file, without the NUL that ends device-tree texts.
    private static func line(_ path: String) -> String? {
        let line = self.text(path)?.split(whereSeparator: { $0.isNewline || $0 == "\u{0}" }).first
        // Some makers leave the field to a word that says nothing.
        guard let line, !["To Be Filled By O.E.M.", "Default string", "System Product Name"].contains(line) else {
            return nil
        }
        return String(line)
    }

    private static func text(_ path: String) -> String? {
        (try? WholeFile.read(path, limit: 64 << 10)).map { String(decoding: $0, as: UTF8.self) }
    }
}
