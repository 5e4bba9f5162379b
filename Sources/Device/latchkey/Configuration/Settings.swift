import AccessEnabler
import BoxWords
import Clientless
import CommandLineTool
import FoundationEssentials
import HTTPClient
import POSIX

/// The settings of the box: the configuration file, and the options that win over it.
///
/// Members of the file: `server`, `requestor`, `softwareStatement` or `keyPair` {`publicKey`, `privateKey`},
/// `deviceName`, `model`, `language`, `scope`, `pollInterval` (seconds), `activationURL`, `insecure`, `certificateAuthority`, `proxy`,
/// `proxyExcept`. Variables: `XDG_STATE_HOME`.
struct Settings: Sendable {
    static let defaultFile = "/etc/latchkey/latchkey.json5"
    static let defaultStateFile = "/var/lib/latchkey/state.json"

    let requestor: String
    let credentials: AccessEnabler.Credentials
    let configuration: AccessEnabler.Configuration
    /// The server as a viewer knows it.
    let serverName: String
    /// The tag of the language that viewers are spoken to in; `nil` where the file does not say it.
    let language: String?
    /// The file's settings for the agent.
    let agent: AgentSection
    /// The file the settings come from.
    let file: String
    /// The state file of a requestor that is not of the group `requestors`.
    let stateFile: String
    /// A file with the only authorities that are trusted; `nil` for those of the system.
    let certificateAuthority: String?
    let proxy: AccessEnabler.Configuration.Proxy

    /// The server's address without a slash at its end.
    var serverURL: String {
        self.serverName.hasSuffix("/") ? String(self.serverName.dropLast()) : self.serverName
    }

    /// The server's name or number, without a port.
    var serverHost: String? { URL(string: self.serverName)?.host() }

    /// For questions apart from the library: the same way, the same trust.
    var clientConfiguration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        switch self.proxy {
        case .none: break
        case .url(let url, let excluded): configuration.proxy = .url(url, excluding: excluded)
        }
        if let file = self.certificateAuthority { configuration.trust = .file(file) }
        return configuration
    }

    /// The state file of a requestor.
    func stateFile(of requestor: String) -> String {
        self.agent.stateFile(of: requestor, beside: self.stateFile)
    }

    /// - Parameter forAgent: whether any requestor of several will do.
    /// - Throws: every fault at once.
    init(
        _ arguments: ParsedArguments, environment: [String: String], forAgent: Bool = false
    ) throws(ConfigurationFaults) {
        let path = arguments.value("config") ?? Self.defaultFile
        let file = try ConfigurationFile(path)
        var reader = ConfigurationReader(file.members)
        let server = reader.text("server", limit: 1024)
        let requestor = reader.text("requestor", limit: 64)
        let ownCredentials = reader.credentials(areOpenToOthers: file.isOpenToOthers)
        let agent = reader.agentSection(areOpenToOthers: file.isOpenToOthers)
        // Taken also where the option says it, or it would be called unknown.
        let isInsecureByFile = reader.flag("insecure") ?? false
        let isInsecure = arguments.has("insecure") || isInsecureByFile
        let stateFile = arguments.value("state") ?? usualStateFile(environment)
        var configuration = AccessEnabler.Configuration(applicationID: "latchkey")
        configuration.vendorGroup = AccessEnabler.VendorGroup(
            identifier: "latchkey", deviceScope: reader.text("scope") ?? "latchkey")
        // The viewer picks the provider on the phone, and a box that was switched off shows its code again.
        configuration.providerChoice = .secondScreen
        configuration.resumesRegistrationCode = true
        configuration.callbackDispatcher = AccessEnabler.InlineDispatcher()
        // This program does nothing else while a code is on show, which may be for half an hour.
        configuration.givesBackMemoryWhilePolling = true
        configuration.clientInformation = BoxFacts.clientInformation(
            model: reader.text("model"), name: reader.text("deviceName"))
        let language = reader.text("language", limit: 64)
        if let fault = language.flatMap({ ViewerLanguage.fault(of: $0) }) { reader.fault("language", fault) }
        if let seconds = reader.number("pollInterval", in: 1...60) { configuration.pollInterval = .seconds(seconds) }
        configuration.activationURL = reader.text("activationURL", limit: 1024)
        if let url = configuration.activationURL, Self.webURL(url) == nil {
            reader.fault("activationURL", "must be an http or https address")
        }
        let authority = reader.text("certificateAuthority", limit: 4096)
        if let authority, !authority.hasPrefix("/") {
            reader.fault("certificateAuthority", "must be the path of a file, from / on")
        }
        configuration.certificateAuthorityFile = authority
        configuration.proxy = reader.proxy()
        // What goes wrong is told in sentences of this program; the library's own lines are for those who ask.
        if arguments.has("verbose") {
            configuration.logsDebugLines = true
        } else {
            configuration.log = { _ in }
        }
        reader.finish()
        var faults = reader.faults.map { "\(path): \($0)" } + file.repeated

        // Options replace what the file says, faults of the file's own value included.
        let chosenServer = arguments.value("server") ?? server
        let only = agent.requestors.count == 1 || forAgent ? agent.requestors.first?.id : nil
        let chosenRequestor = arguments.value("requestor") ?? requestor ?? only
        let credentials = agent.requestors.first { $0.id == chosenRequestor }?.credentials ?? ownCredentials
        if let text = chosenServer {
            let place = arguments.has("server") ? "--server" : "\(path): server"
            if let url = Self.webURL(text) {
                let environment = AccessEnabler.Environment.custom(url, allowsPlainHTTP: isInsecure)
                configuration.environment = environment
                if environment.serviceProvider == nil {
                    faults.append(
                        "\(place) must be an https address: over http everybody in the network could read and change "
                            + "everything. --insecure allows it.")
                }
            } else {
                faults.append("\(place) must be an http or https address without query and fragment.")
            }
        } else if !faults.contains(where: { $0.hasPrefix("\(path): server ") }) {
            faults.append("\(path): server is missing, and so is --server.")
        }
        if let text = chosenRequestor {
            if RequestorID(text) == nil {
                let place = arguments.has("requestor") ? "--requestor" : "\(path): requestor"
                faults.append("\(place) must be 1 to 64 letters, digits, '_' or '-'.")
            }
        } else if !faults.contains(where: { $0.hasPrefix("\(path): requestor ") }) {
            faults.append("\(path): requestor is missing, and so is --requestor.")
        }
        if credentials == nil, !faults.contains(where: { $0.contains("softwareStatement") || $0.contains("keyPair") }) {
            faults.append("\(path): softwareStatement or keyPair is missing.")
        }
        if let account = agent.account, account != chosenRequestor,
            !agent.requestors.contains(where: { $0.id == account })
        {
            faults.append("\(path): agent.account must be one of the requestors of this file.")
        }
        guard faults.isEmpty, let chosenServer, let chosenRequestor, let credentials else {
            throw ConfigurationFaults(faults: faults)
        }
        self.requestor = chosenRequestor
        self.credentials = credentials
        self.serverName = chosenServer
        self.language = language.flatMap { BoxPhrases.language(fitting: $0) }
        configuration.tokenStore = AccessEnabler.PrivateFileStore(
            path: agent.stateFile(of: chosenRequestor, beside: stateFile))
        self.configuration = configuration
        self.agent = agent
        self.file = path
        self.stateFile = stateFile
        self.certificateAuthority = authority
        self.proxy = configuration.proxy
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
    /// Bytes of a proxy's address.
    fileprivate static let proxyLimit = 1024

    /// Whether a text is the address of a proxy that the library can use.
    static func isProxy(_ text: String) -> Bool {
        (1...Self.proxyLimit).contains(text.utf8.count)
            && ["http://", "https://", "socks5h://"].contains { text.hasPrefix($0) }
            && URL(string: text)?.host()?.isEmpty == false
    }
}

extension ConfigurationReader {
    fileprivate mutating func proxy() -> AccessEnabler.Configuration.Proxy {
        let excluded = self.texts("proxyExcept")
        guard let text = self.text("proxy", limit: Settings.proxyLimit) else {
            if !excluded.isEmpty { self.fault("proxyExcept", "needs a proxy") }
            return .none
        }
        guard Settings.isProxy(text) else {
            self.fault("proxy", "must be an address that begins with http://, https:// or socks5h://")
            return .none
        }
        return .url(text, excluding: excluded)
    }

    /// One kind of credentials, and not both.
    /// - Parameter areOpenToOthers: whether other users can read the file.
    mutating func credentials(areOpenToOthers: Bool) -> AccessEnabler.Credentials? {
        let statement = self.text("softwareStatement", limit: 16_384)
        let keyPair = self.group("keyPair") { group -> AccessEnabler.Credentials? in
            let publicKey = group.text("publicKey", limit: 128)
            let privateKey = group.text("privateKey", limit: 256)
            if privateKey != nil, areOpenToOthers {
                group.fault(
                    "privateKey",
                    "must not be readable by other users: give the file mode 0600, or mode 0640 where it is root's and "
                        + "its group is the agent's")
            }
            if publicKey == nil { group.fault("publicKey", "is missing or not right") }
            if privateKey == nil { group.fault("privateKey", "is missing or not right") }
            guard let publicKey, let privateKey else { return nil }
            guard let pair = AccessEnabler.Credentials.keyPair(publicKey: publicKey, privateKey: privateKey) else {
                group.fault("publicKey", "must be letters, digits and '-._~+/='")
                return nil
            }
            return pair
        }
        if statement != nil, keyPair != nil {
            self.fault("keyPair", "must not stand beside softwareStatement")
            return nil
        }
        return statement.map { AccessEnabler.Credentials.softwareStatement($0) } ?? keyPair
    }
}

private func usualStateFile(_ environment: [String: String]) -> String {
    guard let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") else { return Settings.defaultStateFile }
    return "\(folder)/latchkey/state.json"
}
