import ClaimsMapping
import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import JSON5
import OpenIDConnect
import Providers

/// A provider with OpenID Connect: its viewers sign in on its own pages.
struct OpenIDConnectKind: ProviderKind {
    static let name = "oidc"
    static let explanation = "on the provider's own pages, by OpenID Connect"

    /// The knowledge of both sides about each other. While it stays, so does what was fetched.
    struct Registration: Hashable, Sendable {
        let issuer: Issuer
        let metadataAddress: String?
        let clientID: String
        let method: ClientAuthentication.Method
        let keyID: String?
        let scopes: [String]
        let readsUserInfo: Bool
        let pushesRequests: Bool
        let logoutPage: String?
        /// As it is configured.
        let authorities: String?

        /// A provider on this machine needs no certificate.
        var policy: EndpointAddress.Policy { self.issuer.text.hasPrefix("http:") ? .secureOrLoopback : .secure }
    }

    let registration: Registration
    let files: [ProviderFile]
    private let lineUp: OpenIDConnectProvider.Rules.LineUpSource
    private let metadata: [MappingSettings]
    private let endsWithToken: Bool
    private let takesFrontChannelLogout: Bool

    /// Reads the group `oidc`.
    static func read(_ provider: SettingsSection, isChosen: Bool) -> OpenIDConnectKind? {
        provider.section("oidc", "What a provider of kind oidc needs; nothing for other kinds") { section in
            let settings = OpenIDConnectSettings(section)
            guard isChosen else {
                RemoteSettings.refuse(section, of: Self.name, isDefault: settings.isDefault)
                return nil
            }
            return settings.kind(section, isDecidedElsewhere: DecisionPointSettings.isSet(provider))
        }
    }

    init(
        _ registration: Registration, files: [ProviderFile], lineUp: OpenIDConnectProvider.Rules.LineUpSource,
        metadata: [MappingSettings], endsWithToken: Bool, takesFrontChannelLogout: Bool
    ) {
        self.registration = registration
        self.files = files
        self.lineUp = lineUp
        self.metadata = metadata
        self.endsWithToken = endsWithToken
        self.takesFrontChannelLogout = takesFrontChannelLogout
    }

    func faults(of mvpd: MVPDID, files: [String: Secret]) -> [String] {
        do throws(OperatorError) {
            _ = try self.authentication(files)
            return []
        } catch {
            return [error.sentence]
        }
    }

    func answering(for mvpd: MVPDID) -> AnsweringProvider {
        .provider { parts throws(OperatorError) in
            OpenIDConnectProvider(
                try self.client(of: mvpd, parts.files, parts.clients, path: parts.path),
                try self.rules(of: mvpd, hash: parts.pseudonyms))
        }
    }

    /// The client that talks to the provider.
    /// - Parameter path: a configured path as the system takes it.
    func client(
        of mvpd: MVPDID, _ files: [String: Secret], _ clients: ProviderClients, path: (String) -> String
    ) throws(OperatorError) -> OpenIDConnectClient {
        let authentication = try self.authentication(files)
        let secrets = files.sorted { $0.key < $1.key }.flatMap { $0.value.withBytes { Digest.sha256($0) } }
        let key = ProviderClients.Key(
            mvpd: mvpd, registration: .openIDConnect(self.registration), secrets: secrets)
        return clients.client(key, authorities: self.registration.authorities.map(path)) { exchange in
            var registration = ClientRegistration(
                clientID: self.registration.clientID, authentication: authentication, scopes: self.registration.scopes)
            registration.readsUserInfo = self.registration.readsUserInfo
            registration.pushesRequests = self.registration.pushesRequests
            registration.logoutRedirectAddress = self.registration.logoutPage
            var settings = OpenIDConnectClient.Settings(
                issuer: self.registration.issuer, registration: registration)
            settings.policy = self.registration.policy
            settings.metadataAddress = self.registration.metadataAddress
            return OpenIDConnectClient(
                settings, exchange: exchange, clocks: .init(now: SystemClock.now, steady: SystemClock.uptime))
        }
    }

    /// - Parameter hash: makes the pseudonyms of rules with a keyed hash.
    func rules(of mvpd: MVPDID, hash: KeyedHash) throws(OperatorError) -> OpenIDConnectProvider.Rules {
        let mapping = try RemoteSettings.mapping(
            self.metadata, of: mvpd, setting: "oidc.metadata", hash: hash)
        var rules = OpenIDConnectProvider.Rules(lineUp: self.lineUp, mapping: mapping)
        rules.endsWithToken = self.endsWithToken
        rules.takesFrontChannelLogout = self.takesFrontChannelLogout
        return rules
    }

    /// How this server proves to the provider who it is.
    private func authentication(_ files: [String: Secret]) throws(OperatorError) -> ClientAuthentication {
        switch self.registration.method {
        case .none: return .none
        case .secretBasic: return .secretBasic(try Self.secret(files))
        case .secretPost: return .secretPost(try Self.secret(files))
        case .privateKey:
            let (setting, id) = (OpenIDConnectSettings.keySetting, self.registration.keyID)
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
