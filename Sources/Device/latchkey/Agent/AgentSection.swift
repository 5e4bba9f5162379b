import AccessEnabler
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
}

extension AgentSection {
    /// - Parameter areOpenToOthers: whether other users can read the file.
    init(_ section: SettingsSection, areOpenToOthers: Bool) {
        section.section("agent", "How 'latchkey agent' serves the programs of the box") { group in
            let socket = group.readOptional(
                "socket", .socket, example: .text(Self.defaultSocket), "The path of the socket, beginning with /")
            (self.socket, self.isPlaced) = (socket ?? Self.defaultSocket, socket != nil)
            self.mode = group.readOptional("mode", .mode, example: "0660", "The permissions of the socket")
            self.group = group.readOptional(
                "group", .unixGroup, example: "tv",
                "The group of the socket; first make the agent's user a member: usermod -aG tv latchkey")
            self.account = group.readOptional(
                "account", .label(1...64), example: "NORTHSPORT",
                "The requestor whose sign-in is the account of the box")
        }
        self.requestors = section.section(
            "requestors", "Requestors by name, each with credentials and a state file of its own"
        ) { group in
            group.names.compactMap { name -> Requestor? in
                let credentials = group.section(name, "Its softwareStatement or keyPair") {
                    $0.credentials(areOpenToOthers: areOpenToOthers)
                }
                guard RequestorID(name) != nil else {
                    group.fault(name, "must be called by 1 to 64 letters, digits, '_' or '-'")
                    return nil
                }
                if credentials == nil { group.fault(name, "needs softwareStatement or keyPair") }
                return credentials.map { Requestor(id: name, credentials: $0) }
            }
        }
        if self.requestors.count > BoxAgent.requestorLimit {
            section.fault("requestors", "must be at most \(BoxAgent.requestorLimit)")
        }
    }
}

extension SettingKind<String> {
    fileprivate static var socket: SettingKind {
        .text("an absolute path of at most \(BoxAgent.socketPathLimit) bytes") { text in
            text.hasPrefix("/") && text.utf8.count <= BoxAgent.socketPathLimit
        }
    }
}

extension SettingKind<UInt32> {
    fileprivate static var mode: SettingKind {
        .parsed("permissions such as \"0660\"") { text in
            guard text.utf8.count <= 4, let mode = UInt32(text, radix: 8), mode <= 0o777, mode & 0o600 == 0o600
            else { return nil }
            return mode
        } _: {
            "0" + String($0, radix: 8)
        }
    }
}

extension SettingKind<UnixGroup> {
    fileprivate static var unixGroup: SettingKind {
        SettingKind(
            expects: "a group of this system",
            read: { if case .text(let name) = $0 { UnixGroup(named: name) } else { nil } },
            write: { _ in .null })
    }
}
