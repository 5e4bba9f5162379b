import AccessEnabler
import Clientless
import CommandLineTool
import FoundationEssentials
import POSIX

/// The settings of the box: those of the configuration file, and the options that win over it. Variables: `XDG_STATE_HOME`.
struct Settings: Sendable {
    static let defaultFile = "/etc/latchkey/latchkey.json5"
    static let defaultStateFile = "/var/lib/latchkey/state.json"

    let requestor: String
    let credentials: AccessEnabler.Credentials
    private(set) var configuration: AccessEnabler.Configuration
    /// The server as a viewer knows it.
    let serverName: String
    /// The tag of the language that viewers are spoken to in; `nil` if the file does not say it.
    let language: String?
    let agent: AgentSection
    let file: String
    /// The state file of a requestor that is not of the group `requestors`.
    let stateFile: String
    /// A file with the only authorities that are trusted; `nil` for those of the system.
    var certificateAuthority: String? { self.configuration.certificateAuthorityFile }

    /// The server's address without a slash at its end.
    var serverURL: String { self.serverName.hasSuffix("/") ? String(self.serverName.dropLast()) : self.serverName }

    /// The server's name or number, without a port.
    var serverHost: String? { URL(string: self.serverName)?.host() }

    /// The state file of a requestor: signing out empties a file, so each of the group has its own.
    func stateFile(of requestor: String) -> String {
        self.agent.requestors.contains { $0.id == requestor }
            ? "\(Folder.containing(self.stateFile))/requestors/\(requestor).json" : self.stateFile
    }

    /// - Throws: every fault at once.
    init(_ arguments: ParsedArguments, environment: [String: String]) throws(SettingsFaults) {
        let path = arguments.value("config") ?? Self.defaultFile
        let file = try ConfigurationFile(path)
        let report = FaultReport(file.tree)
        let section = SettingsSection(path: .root, fields: file.tree.fields, report: report)
        let read = FileSettings(section, areOpenToOthers: file.isOpenToOthers)
        section.finish()
        var options = OptionsOverFile(arguments: arguments, section: section)
        let server = options.value("server", read.server)
        let serverEnvironment = options.environment(of: server, isInsecure: read.isInsecure)
        // The one that the agent, too, has first.
        let requestor = options.value("requestor", read.requestor ?? read.agent.requestors.first?.id)
        if let requestor, RequestorID(requestor) == nil {
            options.fault("requestor", "must be 1 to 64 letters, digits, '_' or '-'")
        }
        let credentials = read.agent.requestors.first { $0.id == requestor }?.credentials ?? read.credentials
        let isOfCredentials = { (fault: String) in fault.contains("softwareStatement") || fault.contains("keyPair") }
        if credentials == nil, !report.faults.contains(where: { isOfCredentials($0.description) }) {
            section.fault("softwareStatement", "or keyPair is missing")
        }
        if let account = read.agent.account, account != requestor,
            !read.agent.requestors.contains(where: { $0.id == account })
        {
            report.add(SettingPath.root.key("agent").key("account"), "must be one of the requestors of this file")
        }
        let faults = ConfigurationFile.sentences(report.faults, path) + options.faults
        guard faults.isEmpty, let server, let serverEnvironment, let requestor, let credentials else {
            throw SettingsFaults(faults: faults)
        }
        self.requestor = requestor
        self.credentials = credentials
        self.serverName = server
        self.language = read.language
        self.agent = read.agent
        self.file = path
        let usual = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/latchkey/state.json" : nil }
        self.stateFile = arguments.value("state") ?? usual ?? Self.defaultStateFile
        self.configuration = read.configuration
        // This program reports faults in its own sentences; the library's own lines are for those who ask.
        self.configuration.logsDebugLines = arguments.has("verbose")
        if !arguments.has("verbose") { self.configuration.log = { _ in } }
        self.configuration.environment = serverEnvironment
        self.configuration.tokenStore = AccessEnabler.PrivateFileStore(path: self.stateFile(of: requestor))
    }

    /// Why a text is no address of a server, as the rest of a sentence; `nil` if it is one.
    static func serverFault(_ text: String) -> String? {
        guard let url = self.webURL(text) else { return "must be an http or https address without query and fragment" }
        let path = url.path()
        guard !path.isEmpty, path != "/" else { return nil }
        return "has a path (\(path)), and a server has none: its address is \(text.dropLast(path.utf8.count))"
    }

    /// An address without query, fragment and user.
    static func webURL(_ text: String) -> URL? {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let url = URL(string: text),
            url.scheme == "https" || url.scheme == "http", url.host()?.isEmpty == false, url.query() == nil,
            url.fragment() == nil, url.user() == nil
        else { return nil }
        return url
    }
}

extension Settings {
    /// Whether a text is the address of a proxy that the library can use.
    static func isProxy(_ text: String) -> Bool {
        (1...1024).contains(text.utf8.count)
            && ["http://", "https://", "socks5h://"].contains { text.hasPrefix($0) }
            && URL(string: text)?.host()?.isEmpty == false
    }
}

/// The options that replace what the file says, faults of the file's own value included.
private struct OptionsOverFile {
    let arguments: ParsedArguments
    let section: SettingsSection
    var faults: [String] = []

    /// The value of an option, or of the setting of this name.
    func value(_ name: String, _ setting: String?) -> String? {
        let value = self.arguments.value(name) ?? setting
        if value == nil, !self.section.has(name) { self.section.fault(name, "is missing, and so is --\(name)") }
        return value
    }

    mutating func fault(_ name: String, _ sentence: String) {
        if self.arguments.has(name) {
            self.faults.append("--\(name) \(sentence).")
        } else {
            self.section.fault(name, sentence)
        }
    }

    mutating func environment(of server: String?, isInsecure: Bool) -> AccessEnabler.Environment? {
        guard let server else { return nil }
        let fault = Settings.serverFault(server)
        guard fault == nil, let url = Settings.webURL(server) else {
            if let fault { self.fault("server", fault) }
            return nil
        }
        let environment = AccessEnabler.Environment.custom(
            url, allowsPlainHTTP: self.arguments.has("insecure") || isInsecure)
        if environment.serviceProvider == nil {
            self.fault(
                "server",
                "must be an https address: over http everyone in the network could read and change everything. "
                    + "--insecure allows it")
        }
        return environment
    }
}
