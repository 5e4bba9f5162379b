/// The evidence of the kernel and the box about a process; nothing of it is the process's own word.
struct CallerEvidence: Hashable, Sendable {
    /// The status of the root of the process's file system.
    enum Sandbox: Hashable, Sendable {
        case none
        /// The content of `/.flatpak-info`.
        case flatpak(String)
        /// The agent may not look: it is neither root nor the same user, and has no CAP_SYS_PTRACE.
        case hidden
    }

    var user: Int
    /// `nil` when the system does not know the number.
    var userName: String?
    /// The content of `/proc/PID/cgroup` (cgroups(7)).
    var controlGroups: String
    var sandbox: Sandbox

    /// - Returns: `nil` for a process that cannot be told from another: it gets no one else's permission.
    var application: Application? {
        switch self.sandbox {
        case .flatpak(let info):
            return Self.flatpakID(in: info).flatMap { Application("sandbox:\($0)") }
        case .none, .hidden: break
        }
        switch self.placement {
        case .unit(let name): return Application("unit:\(name)")
        // A sandboxed process must not pass for its user because the agent may not look.
        case .userManager(isSandboxed: true) where self.sandbox == .hidden: return nil
        case .userManager, .none: return Application("user:\(self.userName ?? String(self.user))")
        }
    }

    enum Placement: Hashable, Sendable {
        /// Of the system's own manager.
        case unit(String)
        /// Below the manager of a user, who may name groups there at will.
        case userManager(isSandboxed: Bool)
        /// No unit says more than the user does, for instance in a login.
        case none
    }

    /// The place of the process in systemd's tree. The outermost unit counts: what is below one may be in the hands of
    /// that unit, or of a user.
    var placement: Placement {
        var parts = Self.path(in: self.controlGroups).split(separator: "/")[...]
        while parts.first?.hasSuffix(".slice") == true { parts.removeFirst() }
        guard let unit = parts.first else { return .none }
        if unit.hasPrefix("user@"), unit.hasSuffix(".service") {
            let isSandboxed = parts.contains { $0.hasPrefix("app-flatpak-") || $0.hasPrefix("snap.") }
            return .userManager(isSandboxed: isSandboxed)
        }
        if unit.hasSuffix(".service") { return .unit(String(unit)) }
        if unit.hasSuffix(".scope"), !unit.hasPrefix("session-"), unit != "init.scope" { return .unit(String(unit)) }
        return .none
    }

    /// The path in the hierarchy that systemd keeps: its own one of cgroup v1, or the one of v2.
    private static func path(in groups: String) -> String {
        var second = ""
        for line in groups.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            if fields[1] == "name=systemd" { return String(fields[2]) }
            if fields[0] == "0", fields[1].isEmpty { second = String(fields[2]) }
        }
        return second
    }

    /// The `name` of the group `Application` (flatpak-metadata(5)).
    private static func flatpakID(in info: String) -> String? {
        var isInGroup = false
        for line in info.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                isInGroup = line == "[Application]"
            } else if isInGroup, line.hasPrefix("name=") {
                return String(line.dropFirst(5))
            }
        }
        return nil
    }
}
