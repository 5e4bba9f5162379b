import FoundationEssentials
import Glibc

/// A control group called as a unit of the system is, in the hierarchy that systemd would keep; removed at the end.
final class ControlGroup: Sendable {
    private let folder: String
    let unit: String

    /// - Returns: `nil` where groups cannot be made, as without root.
    init?(_ unit: String) {
        let roots = ["/sys/fs/cgroup/systemd", "/sys/fs/cgroup"]
        guard geteuid() == 0,
            let root = roots.first(where: { FileManager.default.fileExists(atPath: "\($0)/cgroup.procs") })
        else { return nil }
        self.unit = unit
        self.folder = "\(root)/latchkey.slice/\(unit)"
        unsafe mkdir("\(root)/latchkey.slice", 0o755)
        guard unsafe mkdir(self.folder, 0o755) == 0 else { return nil }
    }

    deinit {
        unsafe rmdir(self.folder)
        unsafe rmdir(String(self.folder.dropLast(self.unit.utf8.count + 1)))
    }

    /// The words of a command that runs in the group.
    func words(_ command: [String]) -> [String] {
        ["-c", "echo $$ > \(self.folder)/cgroup.procs && exec \"$@\"", "sh"] + command
    }

    static var isAvailable: Bool { ControlGroup("latchkey-probe.service") != nil }
}
