import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import OpenIDConnect
import Providers

struct SAMLKind: ProviderKind {
    static let name = "saml"
    static let explanation = "on the provider's own pages, by SAML 2.0"
    static let group = "saml"
    static let options: [Option] = [
        (.value("metadata", "URL", "saml: the address of the provider's metadata"), "metadataAddress"),
        (.value("metadata-file", "FILE", "saml: the file with the metadata, in place of that"), "metadataFile"),
        (.value("entity-id", "TEXT", "saml: the provider's entity ID in it"), "entityID"),
        (.value("key", "FILE", "saml: a private key that 'provider make-key' made", isRepeatable: true), "keys"),
        (.value("viewer-attribute", "NAME", "saml: the attribute that identifies the viewer"), "viewerAttribute"),
        (.value("line-up-attribute", "NAME", "saml: the attribute with a viewer's channels"), "lineUpAttribute"),
    ]

    let settings: SAMLSettings
    private let source: SAMLSettings.Source
    private let lineUp: LineUpSource
    private let metadata: [MappingSettings]
    private let viewer: String?

    var files: [ProviderFile] { self.settings.files }

    static func read(_ provider: SettingsSection, isChosen: Bool) -> SAMLKind? {
        provider.section(Self.group, "The settings of a provider of kind saml") {
            SAMLKind($0, isChosen: isChosen, isDecidedElsewhere: DecisionPointSettings.isSet(provider))
        }
    }

    private init?(_ section: SettingsSection, isChosen: Bool, isDecidedElsewhere: Bool) {
        self.settings = SAMLSettings(section)
        self.viewer = section.readOptional(
            "viewerAttribute", .label(1...256), example: "uid",
            "The attribute that identifies the viewer; needed if names are transient")
        let channels = section.readList(
            "lineUp", of: .label(1...512), default: [], atMost: LineUpSource.maximumCount,
            "The channels that every viewer has, \"*\" for all; without lineUpAttribute")
        let attribute = section.readOptional(
            "lineUpAttribute", .label(1...256), example: "channels", "The attribute with the channels of a viewer")
        self.lineUp = attribute.map { .said([$0]) } ?? .fixed(channels)
        self.metadata = RemoteSettings.metadata(
            section, "The rules that make metadata for requestors out of attributes; claim names an attribute")
        guard isChosen else {
            section.refuseAll("is set, but the provider is not of kind \(Self.name)")
            return nil
        }
        guard let source = self.settings.source(section) else { return nil }
        self.source = source
        guard !self.settings.keys.isEmpty else {
            if !section.has("keys") { section.fault("keys", "is missing; 'latchkeyd provider make-key' makes one") }
            return nil
        }
        guard
            RemoteSettings.hasOneLineUp(
                section, channels, source: "lineUpAttribute", isSourceSet: attribute != nil,
                isDecidedElsewhere: isDecidedElsewhere)
        else { return nil }
    }

    func faults(of mvpd: MVPDID, files: [String: Secret]) -> [String] {
        OperatorError.sentences { () throws(OperatorError) in
            _ = try self.keys(of: mvpd, files)
            let rules = try self.metadataRules(files)
            guard let bytes = files[SAMLSettings.metadataSetting] else { return }
            do throws(AssertionFault) {
                _ = try IdentityProviderMetadata(reading: bytes.withBytes { Array($0) }, rules)
            } catch {
                throw OperatorError("The file of saml.metadataFile cannot be used: \(error).")
            }
        }
    }

    func provider(of mvpd: MVPDID, _ parts: ProviderParts) throws(OperatorError) -> (any Provider)? {
        SAMLProvider(
            try self.client(of: mvpd, parts.files, parts.clients, in: parts.configuration),
            try self.rules(of: mvpd, hash: parts.pseudonyms))
    }

    func client(
        of mvpd: MVPDID, _ files: [String: Secret], _ clients: ProviderClients, in configuration: Configuration
    ) throws(OperatorError) -> SAMLClient {
        let publicURL = configuration.server.publicURL
        let addresses = self.addresses(of: mvpd, at: publicURL)
        let service = SAMLService(
            entityID: addresses.entityID, consumer: addresses.consumer, logout: addresses.logout,
            soapLogout: addresses.soapLogout, keys: try self.keys(of: mvpd, files))
        let rules = try self.metadataRules(files)
        let source: SAMLClient.MetadataSource
        switch self.source {
        case .file:
            let bytes = try RemoteSettings.contents(files, of: SAMLSettings.metadataSetting)
            source = .document(bytes.withBytes { Array($0) })
        case .address(let address, _): source = .address(address)
        }
        let contents = files.sorted { $0.key < $1.key }.flatMap { $0.value.withBytes { Digest.sha256($0) } }
        let key = ProviderClients.Key(
            mvpd: mvpd, registration: .saml(self.settings, publicURL: publicURL), secrets: contents)
        return clients.client(key, authorities: self.settings.authorities.map(configuration.path)) { exchange in
            var settings = SAMLClient.Settings(service: service, source: source)
            settings.metadataRules = rules
            settings.requestBinding = self.settings.binding
            settings.forcesSignIn = self.settings.forcesSignIn
            settings.nameFormat = self.settings.nameFormat
            settings.takesSignedResponses = self.settings.takesSignedResponses
            settings.acceptsSHA1 = self.settings.acceptsSHA1
            return SAMLClient(settings, exchange: exchange, clocks: (now: SystemClock.now, steady: SystemClock.uptime))
        }
    }

    func rules(of mvpd: MVPDID, hash: KeyedHash) throws(OperatorError) -> SAMLProvider.Rules {
        let mapping = try RemoteSettings.mapping(self.metadata, of: mvpd, setting: "saml.metadata", hash: hash)
        var rules = SAMLProvider.Rules(lineUp: self.lineUp, mapping: mapping)
        rules.viewerAttribute = self.viewer
        rules.logoutPage = self.settings.logoutPage
        return rules
    }

    func addresses(
        of mvpd: MVPDID, at publicURL: String
    ) -> (entityID: String, consumer: String, logout: String, soapLogout: String) {
        (
            self.settings.serviceEntityID ?? "\(publicURL)/sp/metadata/\(mvpd)", "\(publicURL)/sp/login/\(mvpd)",
            "\(publicURL)/sp/logout/\(mvpd)", "\(publicURL)/sp/logout/\(mvpd)/soap"
        )
    }

    private func keys(of mvpd: MVPDID, _ files: [String: Secret]) throws(OperatorError) -> [SAMLKey] {
        var keys: [SAMLKey] = []
        for index in self.settings.keys.indices {
            let setting = SAMLSettings.keySetting(index)
            let pem = try RemoteSettings.contents(files, of: setting)
            do throws(AssertionFault) {
                keys.append(try SAMLKey(pem: pem, name: "Latchkey for \(mvpd)"))
            } catch {
                throw OperatorError("The file of \(setting) cannot be used: \(error).", exitCode: .configuration)
            }
        }
        return keys
    }

    private func metadataRules(_ files: [String: Secret]) throws(OperatorError) -> IdentityProviderMetadata.Rules {
        var rules = IdentityProviderMetadata.Rules()
        rules.entityID = self.settings.entityID
        switch self.source {
        // A person who may write the file may also send viewers where they like.
        case .file: rules.policy = .secureOrLoopback
        case .address(_, let policy): rules.policy = policy
        }
        guard let certificate = files[SAMLSettings.certificateSetting] else { return rules }
        let pem = certificate.withBytes { String(decoding: $0, as: UTF8.self) }
        guard IdentityProviderMetadata.isSigner(pem) else {
            throw OperatorError(
                "The file of saml.metadataCertificate holds no certificate with an RSA key of 2048 bits or more in PEM.",
                exitCode: .configuration)
        }
        rules.signer = pem
        return rules
    }
}
