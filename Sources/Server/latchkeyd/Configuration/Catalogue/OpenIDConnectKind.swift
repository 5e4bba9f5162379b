import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import OpenIDConnect
import Providers

struct OpenIDConnectKind: ProviderKind {
    static let name = "oidc"
    static let explanation = "on the provider's own pages, by OpenID Connect"
    static let group = "oidc"
    static let options: [Option] = [
        (.value("issuer", "URL", "oidc: the provider's issuer"), "issuer"),
        (.value("client-id", "TEXT", "oidc: the provider's ID for this server"), "clientID"),
        (.value("client-secret", "FILE", "oidc: the file with the secret of this server"), "clientSecret"),
        (.value("line-up-claim", "CLAIM", "oidc: the claim with the channels a viewer may play"), "lineUpClaim"),
    ]

    let settings: OpenIDConnectSettings
    let files: [ProviderFile]
    let issuer: Issuer
    private let clientID: String
    let method: ClientAuthentication.Method
    private let lineUp: LineUpSource
    private let metadata: [MappingSettings]
    private let endsWithToken: Bool
    private let takesFrontChannelLogout: Bool

    /// A provider on this machine needs no certificate.
    var policy: EndpointAddress.Policy { self.issuer.text.hasPrefix("http:") ? .secureOrLoopback : .secure }

    static func read(_ provider: SettingsSection, isChosen: Bool) -> OpenIDConnectKind? {
        provider.section(Self.group, "The settings of a provider of kind oidc") {
            OpenIDConnectKind($0, isChosen: isChosen, isDecidedElsewhere: DecisionPointSettings.isSet(provider))
        }
    }

    private init?(_ section: SettingsSection, isChosen: Bool, isDecidedElsewhere: Bool) {
        self.settings = OpenIDConnectSettings(section)
        let channels = section.readList(
            "lineUp", of: .label(1...512), default: [], atMost: LineUpSource.maximumCount,
            "The channels that every viewer has, \"*\" for all; without lineUpClaim")
        let claim = section.readOptional(
            "lineUpClaim", .claimPath, example: "channels",
            "The claim with the channels of a viewer, or the list of names that leads to it")
        self.lineUp = claim.map { .said($0) } ?? .fixed(channels)
        self.metadata = RemoteSettings.metadata(section, "The rules that make metadata for requestors out of claims")
        self.endsWithToken = section.read(
            "endsWithToken", .flag, default: false,
            "Whether a sign-in that cannot be renewed ends with the provider's token")
        self.takesFrontChannelLogout = section.read(
            "frontChannelLogout", .flag, default: false,
            "Whether a viewer's browser may say that a session at the provider ended; the provider itself always may")
        guard isChosen else {
            section.refuseAll("is set, but the provider is not of kind \(Self.name)")
            return nil
        }
        guard let issuer = self.settings.issuer(section), let method = self.settings.method(section) else { return nil }
        guard let clientID = self.settings.clientID(section) else { return nil }
        guard
            RemoteSettings.hasOneLineUp(
                section, channels, source: "lineUpClaim", isSourceSet: claim != nil,
                isDecidedElsewhere: isDecidedElsewhere)
        else { return nil }
        (self.issuer, self.clientID, self.method) = (issuer, clientID, method)
        self.files = self.settings.files(method)
    }

    func faults(of mvpd: MVPDID, files: [String: Secret]) -> [String] {
        OperatorError.sentences { () throws(OperatorError) in _ = try self.authentication(files) }
    }

    func provider(of mvpd: MVPDID, _ parts: ProviderParts) throws(OperatorError) -> (any Provider)? {
        OpenIDConnectProvider(
            try self.client(of: mvpd, parts.files, parts.clients, in: parts.configuration),
            try self.rules(of: mvpd, hash: parts.pseudonyms))
    }

    func client(
        of mvpd: MVPDID, _ files: [String: Secret], _ clients: ProviderClients, in configuration: Configuration
    ) throws(OperatorError) -> OpenIDConnectClient {
        let authentication = try self.authentication(files)
        let secrets = files.sorted { $0.key < $1.key }.flatMap { $0.value.withBytes { Digest.sha256($0) } }
        let key = ProviderClients.Key(mvpd: mvpd, registration: .openIDConnect(self.settings), secrets: secrets)
        return clients.client(key, authorities: self.settings.authorities.map(configuration.path)) { exchange in
            var settings = OpenIDConnectClient.Settings(
                issuer: self.issuer, clientID: self.clientID, authentication: authentication,
                scopes: self.settings.scopes)
            settings.readsUserInfo = self.settings.readsUserInfo
            settings.pushesRequests = self.settings.pushesRequests
            settings.logoutRedirectAddress = self.settings.logoutPage
            settings.policy = self.policy
            if let address = self.settings.metadataAddress { settings.metadataAddress = address }
            return OpenIDConnectClient(
                settings, exchange: exchange, clocks: (now: SystemClock.now, steady: SystemClock.uptime))
        }
    }

    func rules(of mvpd: MVPDID, hash: KeyedHash) throws(OperatorError) -> OpenIDConnectProvider.Rules {
        let mapping = try RemoteSettings.mapping(self.metadata, of: mvpd, setting: "oidc.metadata", hash: hash)
        var rules = OpenIDConnectProvider.Rules(lineUp: self.lineUp, mapping: mapping)
        rules.endsWithToken = self.endsWithToken
        rules.takesFrontChannelLogout = self.takesFrontChannelLogout
        return rules
    }

    private func authentication(_ files: [String: Secret]) throws(OperatorError) -> ClientAuthentication {
        switch self.method {
        case .none: return .none
        case .secretBasic: return .secretBasic(try Self.secret(files))
        case .secretPost: return .secretPost(try Self.secret(files))
        case .privateKey:
            let (setting, id) = (OpenIDConnectSettings.keySetting, self.settings.keyID)
            let pem = try RemoteSettings.contents(files, of: setting)
            if let key = try? ECPrivateKey(pem: pem) { return .privateKey(ClientKey(.ec(key), id: id)) }
            if let key = try? RSAPrivateKey(pem: pem) { return .privateKey(ClientKey(.rsa(key), id: id)) }
            throw OperatorError(
                "The file of oidc.clientKey holds no private key in PEM, on P-256 or of RSA.", exitCode: .configuration)
        }
    }

    /// The first line of the file: editors end it with a line feed.
    private static func secret(_ files: [String: Secret]) throws(OperatorError) -> Secret {
        let setting = OpenIDConnectSettings.secretSetting
        let text = try RemoteSettings.contents(files, of: setting)
        let line = text.withBytes { StandardInput.firstLine(of: $0) }
        guard line.count > 0 else {
            throw OperatorError(
                "The file of oidc.clientSecret has no secret in its first line.", exitCode: .configuration)
        }
        return line
    }
}
