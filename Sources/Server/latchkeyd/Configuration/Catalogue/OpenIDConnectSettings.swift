import Clientless
import CommandLineTool
import Entitlement
import JSON5
import OpenIDConnect
import Providers

/// The group `oidc` of a TV provider, as it is read; what belongs together is looked at for those of kind oidc alone.
struct OpenIDConnectSettings {
    static let secretSetting = "oidc.clientSecret"
    static let keySetting = "oidc.clientKey"
    private static let usualScopes = ["openid"]
    private static let metadataPath = "/.well-known/openid-configuration"

    /// How the client proves itself, as settings name it.
    private enum Method: String, Equatable {
        case basic = "client_secret_basic"
        case post = "client_secret_post"
        case key = "private_key_jwt"
        case nothing = "none"

        var method: ClientAuthentication.Method {
            switch self {
            case .basic: .secretBasic
            case .post: .secretPost
            case .key: .privateKey
            case .nothing: .none
            }
        }
    }

    private let issuer: String?
    private let metadataAddress: String?
    private let clientID: String?
    private let secretFile: String?
    private let keyFile: String?
    private let keyID: String?
    private let method: Method?
    private let scopes: [String]
    private let readsUserInfo: Bool
    private let pushesRequests: Bool
    private let logoutPage: String?
    private let authorities: String?
    private let channels: [String]
    private let claim: [String]?
    let metadata: [MappingSettings]
    private let endsWithToken: Bool
    private let takesFrontChannelLogout: Bool

    init(_ section: SettingsSection) {
        self.issuer = section.readOptional(
            "issuer", .webPage, example: "https://idp.cable-nova.example",
            "What the provider is called in its tokens; left out, what metadataAddress begins with")
        self.metadataAddress = section.readOptional(
            "metadataAddress", .webPage, example: "https://idp.cable-nova.example/.well-known/openid-configuration",
            "Where the provider describes itself; left out, the usual place of the issuer")
        self.clientID = section.readOptional(
            "clientID", .label(1...256), example: "latchkey", "What the provider calls this server")
        self.secretFile = section.readOptional(
            "clientSecret", .file, example: "cable-nova.secret",
            "The file with the secret that this server has at the provider, in its first line")
        self.keyFile = section.readOptional(
            "clientKey", .file, example: "cable-nova-key.pem",
            "The file with the private key whose public half the provider knows, in place of a secret; PEM")
        self.keyID = section.readOptional(
            "clientKeyID", .label(1...256), example: "2026-1", "What the provider calls that key")
        self.method = section.readOptional(
            "clientAuthentication", .choice([.basic, .post, .key, .nothing]), example: "client_secret_basic",
            "How this server proves itself; left out, client_secret_basic, private_key_jwt with a key, none without both"
        )
        self.scopes = section.readList(
            "scopes", of: .scope, default: Self.usualScopes, atMost: 32,
            "What is asked for; offline_access, at many providers, so that sign-ins are renewed")
        self.readsUserInfo = section.read(
            "userInfo", .flag, default: true, "Whether the provider's userinfo is asked, too, where there is one")
        self.pushesRequests = section.read(
            "pushRequests", .flag, default: true, "Whether requests are pushed where the provider takes that")
        self.logoutPage = section.readOptional(
            "logoutPage", .webPage, example: "https://tv.example/", "Where the provider sends browsers after a logout")
        self.authorities = section.readOptional(
            "authorities", .file, example: "cable-nova-ca.pem",
            "The certificates that vouch for the provider's; left out, those of the system")
        self.channels = section.readList(
            "lineUp", of: .label(1...512), default: [], atMost: OpenIDConnectProvider.Rules.maximumLineUp,
            "The channels that every viewer has, \"*\" for all; without lineUpClaim")
        self.claim = section.readOptional(
            "lineUpClaim", .claimPath, example: "channels",
            "The claim with the channels of a viewer, or the list of names that leads to it")
        self.metadata = section.sections(
            "metadata", atMost: 128, "What becomes of claims, for requestors", MappingSettings.init(_:)
        ).compactMap { $0 }
        self.endsWithToken = section.read(
            "endsWithToken", .flag, default: false,
            "Whether a sign-in that cannot be renewed ends with the provider's token")
        self.takesFrontChannelLogout = section.read(
            "frontChannelLogout", .flag, default: false,
            "Whether a viewer's browser may say that a session at the provider ended; the provider itself always may")
    }

    /// Whether a setting that has a default is as if it were left out; a commented file may show it so.
    func isDefault(_ name: String) -> Bool {
        switch name {
        case "scopes": self.scopes == Self.usualScopes
        case "userInfo": self.readsUserInfo
        case "pushRequests": self.pushesRequests
        case "lineUp": self.channels.isEmpty
        case "metadata": self.metadata.isEmpty
        case "endsWithToken": !self.endsWithToken
        case "frontChannelLogout": !self.takesFrontChannelLogout
        default: false
        }
    }

    /// - Returns: `nil` when something is missing or contradicts itself, which is then reported.
    /// - Parameter isDecidedElsewhere: whether the provider's authorization endpoint says what viewers may play.
    func kind(_ section: SettingsSection, isDecidedElsewhere: Bool) -> OpenIDConnectKind? {
        guard let issuer = self.issuer(section), let method = self.method(section) else { return nil }
        guard let clientID = self.clientID else {
            if !section.has("clientID") { section.fault("clientID", "is missing; the provider gives it") }
            return nil
        }
        guard
            RemoteSettings.hasOneLineUp(
                section, self.channels, source: "lineUpClaim", isSourceSet: self.claim != nil,
                isDecidedElsewhere: isDecidedElsewhere)
        else { return nil }
        var files: [ProviderFile] = []
        switch method {
        case .basic, .post:
            if let name = self.secretFile {
                files.append(ProviderFile(setting: Self.secretSetting, name: name, isSecret: true))
            }
        case .key:
            if let name = self.keyFile {
                files.append(ProviderFile(setting: Self.keySetting, name: name, isSecret: true))
            }
        case .nothing: break
        }
        if let name = self.authorities {
            files.append(ProviderFile(setting: "oidc.authorities", name: name, isSecret: false, limit: 1 << 20))
        }
        return OpenIDConnectKind(
            OpenIDConnectKind.Registration(
                issuer: issuer, metadataAddress: self.metadataAddress, clientID: clientID, method: method.method,
                keyID: self.keyID, scopes: self.scopes, readsUserInfo: self.readsUserInfo,
                pushesRequests: self.pushesRequests, logoutPage: self.logoutPage, authorities: self.authorities),
            files: files, lineUp: self.claim.map { .claim($0) } ?? .fixed(self.channels), metadata: self.metadata,
            endsWithToken: self.endsWithToken, takesFrontChannelLogout: self.takesFrontChannelLogout)
    }

    /// The issuer, or the one whose metadata is at the address given.
    private func issuer(_ section: SettingsSection) -> Issuer? {
        let text: String
        if let given = self.issuer {
            text = given
        } else if let address = self.metadataAddress, address.hasSuffix(Self.metadataPath) {
            text = String(address.dropLast(Self.metadataPath.count))
        } else {
            if !section.has("issuer") {
                section.fault(
                    "issuer", "is missing; metadataAddress says it only when it ends with \(Self.metadataPath)")
            }
            return nil
        }
        guard let issuer = Issuer(text, policy: .secureOrLoopback) else {
            section.fault(
                self.issuer == nil ? "metadataAddress" : "issuer",
                "must be an https address without a query; http only for a provider on this machine")
            return nil
        }
        if let address = self.metadataAddress,
            EndpointAddress(address, policy: text.hasPrefix("http:") ? .secureOrLoopback : .secure) == nil
        {
            section.fault("metadataAddress", "must be an https address")
            return nil
        }
        return issuer
    }

    private func method(_ section: SettingsSection) -> Method? {
        let method = self.method ?? (self.secretFile != nil ? .basic : self.keyFile != nil ? .key : .nothing)
        let fault: (String, String)? =
            switch (method, self.secretFile != nil, self.keyFile != nil) {
            case (.basic, true, false), (.post, true, false), (.key, false, true), (.nothing, false, false): nil
            case (.basic, false, _), (.post, false, _): ("clientSecret", "is missing")
            case (.basic, true, true), (.post, true, true): ("clientKey", "is set beside a secret")
            case (.key, _, false): ("clientKey", "is missing")
            case (.key, true, true): ("clientSecret", "is set beside a key")
            case (.nothing, true, _), (.nothing, _, true):
                ("clientAuthentication", "is none, but there is a secret or a key")
            }
        guard let fault else { return method }
        // A path that is not right was reported already.
        section.fault(fault.0, fault.1)
        return nil
    }
}

extension SettingKind where Value == String {
    /// A scope of RFC 6749 3.3.
    static var scope: SettingKind {
        .text("a scope: 1 to 128 visible ASCII characters without quotes and backslashes") { text in
            (1...128).contains(text.utf8.count)
                && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
        }
    }
}

extension SettingKind where Value == [String] {
    /// The name of a claim, or the names that lead to it.
    static var claimPath: SettingKind {
        func isName(_ text: String) -> Bool { (1...256).contains(text.utf8.count) }
        return SettingKind(
            expects: "the name of a claim, or a list of 1 to 8 names that leads to it",
            read: { value in
                switch value {
                case .text(let name): return isName(name) ? [name] : nil
                case .list(let values):
                    let names = values.compactMap { value -> String? in
                        if case .text(let name) = value, isName(name) { name } else { nil }
                    }
                    return (1...8).contains(names.count) && names.count == values.count ? names : nil
                case .null, .flag, .number, .object: return nil
                }
            },
            write: { $0.count == 1 ? .text($0[0]) : .list($0.map { .text($0) }) })
    }
}
