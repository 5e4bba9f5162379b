import AccessEnabler
import BoxAgent
import Clientless
import CommandLineTool
import POSIX

/// The configuration file's settings for the agent: the groups `agent` and `requestors`.
struct AgentSection: Sendable {
    struct Requestor: Sendable {
        let id: String
        let credentials: AccessEnabler.Credentials
    }

    static let defaultSocket = "/run/latchkey/agent.sock"

    var socket = AgentSection.defaultSocket
    /// Whether the file says where the agent listens.
    var isPlaced = false
    var mode: UInt32?
    var group: UnixGroup?
    /// The requestor whose sign-in is the account of the box.
    var account: String?
    /// By name; each has a state file of its own.
    var requestors: [Requestor] = []

    /// The state file of a requestor: signing out empties a file, so each of the group has its own.
    func stateFile(of requestor: String, beside stateFile: String) -> String {
        self.requestors.contains { $0.id == requestor }
            ? "\(Folder.containing(stateFile))/requestors/\(requestor).json" : stateFile
    }
}

extension ConfigurationReader {
    /// Reads the group `agent` {`socket`, `mode`, `group`, `account`} and the group `requestors`, whose members are
    /// requestors with their `softwareStatement` or `keyPair`.
    /// - Parameter areOpenToOthers: whether other users can read the file.
    mutating func agentSection(areOpenToOthers: Bool) -> AgentSection {
        var section = AgentSection()
        _ = self.group("agent") { group in
            if let socket = group.text("socket", limit: AgentSettings.socketPathLimit) {
                if !socket.hasPrefix("/") { group.fault("socket", "must be an absolute path") }
                (section.socket, section.isPlaced) = (socket, true)
            }
            if let text = group.text("mode", limit: 4) {
                section.mode = UInt32(text, radix: 8).flatMap { $0 <= 0o777 && $0 & 0o600 == 0o600 ? $0 : nil }
                if section.mode == nil { group.fault("mode", "must be permissions such as \"0660\"") }
            }
            if let name = group.text("group", limit: 64) {
                section.group = UnixGroup(named: name)
                if section.group == nil { group.fault("group", "is not a group of this system") }
            }
            section.account = group.text("account", limit: 64)
            return true
        }
        _ = self.group("requestors") { group in
            for name in group.names {
                guard RequestorID(name) != nil else {
                    group.fault(name, "must be called by 1 to 64 letters, digits, '_' or '-'")
                    continue
                }
                let credentials = group.group(name) { $0.credentials(areOpenToOthers: areOpenToOthers) }
                if let credentials = credentials ?? nil {
                    section.requestors.append(AgentSection.Requestor(id: name, credentials: credentials))
                } else {
                    group.fault(name, "needs softwareStatement or keyPair")
                }
            }
            return true
        }
        if section.requestors.count > AgentSettings.requestorLimit {
            self.fault("requestors", "must be at most \(AgentSettings.requestorLimit)")
        }
        return section
    }
}
