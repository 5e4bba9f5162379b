import Clientless

/// The identity of a caller: a unit of the system, a sandbox, or else a user.
struct Application: Hashable, Sendable, CustomStringConvertible {
    /// `unit:NAME`, `sandbox:ID` or `user:NAME`.
    let name: String

    var description: String { self.name }
    var isSandboxed: Bool { self.name.hasPrefix("sandbox:") }

    private static let kinds = ["unit", "sandbox", "user"]

    /// The application of this name.
    /// - Returns: `nil` for a text that no application is called by.
    init?(_ name: String) {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        // The bytes are those of a unit of systemd (systemd.unit(5)); names of users and sandboxes are made of the same.
        guard parts.count == 2, Self.kinds.contains(String(parts[0])), (1...255).contains(parts[1].utf8.count),
            parts[1].utf8.allSatisfy({ isIdentifierByte($0) || ":.\\@".utf8.contains($0) })
        else { return nil }
        self.name = name
    }
}
