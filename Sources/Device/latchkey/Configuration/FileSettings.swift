import AccessEnabler
import CommandLineTool
import POSIX

struct FileSettings {
    let server: String?
    let requestor: String?
    let credentials: AccessEnabler.Credentials?
    let isInsecure: Bool
    /// As a tag of a language that the box speaks.
    let language: String?
    let agent: AgentSection
    /// The others, as the library takes them.
    private(set) var configuration = AccessEnabler.Configuration(applicationID: "latchkey")

    /// - Parameter areOpenToOthers: whether other users can read the file.
    init(_ section: SettingsSection, areOpenToOthers: Bool) {
        self.server = section.readOptional(
            "server", .label(1...1024), example: "https://tve.example.net", "The server; --server wins")
        self.requestor = section.readOptional(
            "requestor", .label(1...64), example: "NORTHSPORT",
            "The requestor to sign in for; left out, the first of requestors by name; --requestor wins")
        self.credentials = section.credentials(areOpenToOthers: areOpenToOthers)
        self.isInsecure = section.read(
            "insecure", .flag, default: false,
            "Whether the box may use http with a server beyond this box; everyone in the network can listen")
        let name = section.readOptional(
            "deviceName", .label(1...256), example: "Living room",
            "The name of this box on pages; left out, the host's name"
        )
        self.configuration.clientInformation.name = name ?? Self.hostName
        self.configuration.clientInformation.applicationID = "latchkey/\(CommandLineProgram.releasedVersion)"
        self.configuration.clientInformation.model = section.readOptional(
            "model", .label(1...256), example: "LX-200", "The box's model; left out, the system's word for it")
        self.language = section.readOptional(
            "language", .language, example: "de", "The language for viewers; left out, the locale decides")
        let scope = section.read(
            "scope", .label(1...256), default: "latchkey",
            "The scope; programs of one scope share one device ID on the box")
        self.configuration.vendorGroup = AccessEnabler.VendorGroup(identifier: "latchkey", deviceScope: scope)
        let seconds = section.readOptional(
            "pollInterval", .number(1...60), example: 5, "The seconds between two questions whether a viewer signed in")
        if let seconds { self.configuration.pollInterval = .seconds(seconds) }
        self.configuration.activationURL = section.readOptional(
            "activationURL", .webPage, example: "https://tve.example.net/activate",
            "The page where viewers enter codes; left out, the one that the server names")
        self.configuration.certificateAuthorityFile = section.readOptional(
            "certificateAuthority", .absolutePath, example: "/etc/latchkey/ca.pem",
            "A PEM file with the only certificate authorities that the box trusts; left out, those of the system")
        self.configuration.proxy = Self.proxy(section)
        self.agent = AgentSection(section, areOpenToOthers: areOpenToOthers)
        // The viewer picks the provider on the phone, and a box that was switched off shows its code again.
        self.configuration.providerChoice = .secondScreen
        self.configuration.resumesRegistrationCode = true
        self.configuration.callbackDispatcher = AccessEnabler.InlineDispatcher()
        // This program does nothing else while a code is on show, which may be for half an hour.
        self.configuration.givesBackMemoryWhilePolling = true
    }

    private static var hostName: String? {
        (try? WholeFile.read("/proc/sys/kernel/hostname", limit: 4096)).flatMap {
            String(decoding: $0, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
        }
    }

    static var manualPage: String {
        let section = SettingsSection(path: .root, fields: [:], report: FaultReport())
        _ = FileSettings(section, areOpenToOthers: false)
        return CommandLineProgram.manualPage(
            ofFile: "latchkey.json5", "the configuration of latchkey",
            paragraphs: [
                "JSON5: JSON with comments, names without quotes and commas at ends of lists. 'latchkey init' writes it, and "
                    + "'latchkey doctor' names its faults with their lines. Options of the command line win over it."
            ], sections: [(heading: "settings", items: DescribedSetting.items(of: section.described))])
    }

    private static func proxy(_ section: SettingsSection) -> AccessEnabler.Configuration.Proxy {
        let proxy = section.readOptional(
            "proxy", .boxProxy, example: "http://proxy.example:3128",
            "The proxy that the box reaches the server through")
        let excluded = section.readList(
            "proxyExcept", of: .label(1...256), default: [], atMost: 32, "Hosts that are reached without the proxy")
        guard let proxy else {
            if !section.has("proxy"), !excluded.isEmpty { section.fault("proxyExcept", "needs a proxy") }
            return .none
        }
        return .url(proxy, excluding: excluded)
    }
}

extension SettingsSection {
    /// One kind of credentials, and not both.
    /// - Parameter areOpenToOthers: whether other users can read the file.
    func credentials(areOpenToOthers: Bool) -> AccessEnabler.Credentials? {
        let statement = self.readOptional(
            "softwareStatement", .secret(1...16_384), example: "eyJ0eXAi…",
            "The statement that the server's operator signed")
        let keyPair = self.section("keyPair", "In place of softwareStatement") {
            group -> AccessEnabler.Credentials? in
            let publicKey = group.readOptional(
                "publicKey", .secret(1...128), example: "6jK…", "The public half, which names the pair")
            let privateKey = group.readOptional(
                "privateKey", .secret(1...256), example: "c0f…", "The private half, which signs each call")
            guard self.has("keyPair") else { return nil }
            if privateKey != nil, areOpenToOthers {
                group.fault(
                    "privateKey",
                    "must not be readable by other users: give the file mode 0600, or mode 0640 if it is root's and "
                        + "its group is the agent's")
            }
            for (name, value) in [("publicKey", publicKey), ("privateKey", privateKey)]
            where value == nil && !group.has(name) {
                group.fault(name, "is missing")
            }
            guard let publicKey, let privateKey else { return nil }
            let pair = AccessEnabler.Credentials.keyPair(publicKey: publicKey, privateKey: privateKey)
            if pair == nil { group.fault("publicKey", "must be letters, digits and '-._~+/='") }
            return pair
        }
        if statement != nil, keyPair != nil {
            self.fault("keyPair", "must not stand beside softwareStatement")
            return nil
        }
        return statement.map { AccessEnabler.Credentials.softwareStatement($0) } ?? keyPair
    }
}

extension SettingKind where Value == String {
    /// May have a password in it.
    fileprivate static var boxProxy: SettingKind {
        var kind = SettingKind.text("an address that begins with http://, https:// or socks5h://", Settings.isProxy)
        kind.isSecret = true
        return kind
    }

    fileprivate static var language: SettingKind {
        .parsed("one of \(BoxPhrases.languages.joined(separator: ", "))", { BoxPhrases.language(fitting: $0) }, \.self)
    }
}
