import CommandLineTool
import OpenIDConnect

/// The agreement of a TV provider with OpenID Connect and this server, as the group `oidc` says it. While it stays, so
/// does what was fetched.
struct OpenIDConnectSettings: Hashable, Sendable {
    static let secretSetting = "oidc.clientSecret"
    static let keySetting = "oidc.clientKey"
    private static let metadataPath = "/.well-known/openid-configuration"

    private let givenIssuer: String?
    let metadataAddress: String?
    private let givenClientID: String?
    private let secretFile: String?
    private let keyFile: String?
    let keyID: String?
    private let givenMethod: ClientAuthentication.Method?
    let scopes: [String]
    let readsUserInfo: Bool
    let pushesRequests: Bool
    let logoutPage: String?
    let authorities: String?

    init(_ section: SettingsSection) {
        self.givenIssuer = section.readOptional(
            "issuer", .webPage, example: "https://idp.cable-nova.example",
            "The provider's name in its tokens; left out, the beginning of metadataAddress")
        self.metadataAddress = section.readOptional(
            "metadataAddress", .webPage, example: "https://idp.cable-nova.example/.well-known/openid-configuration",
            "The address of the provider's description of itself; left out, the usual one of the issuer")
        self.givenClientID = section.readOptional(
            "clientID", .label(1...256), example: "latchkey", "The provider's ID for this server")
        self.secretFile = section.readOptional(
            "clientSecret", .file, example: "cable-nova.secret",
            "The file with the secret that this server has at the provider, in its first line")
        self.keyFile = section.readOptional(
            "clientKey", .file, example: "cable-nova-key.pem",
            "The file with the private key whose public half the provider knows, in place of a secret; PEM")
        self.keyID = section.readOptional(
            "clientKeyID", .label(1...256), example: "2026-1", "The provider's ID for that key")
        self.givenMethod = section.readOptional(
            "clientAuthentication",
            .choice([.secretBasic, .secretPost, .privateKey, ClientAuthentication.Method.none]),
            example: "client_secret_basic",
            "The method by which this server authenticates; left out, client_secret_basic, private_key_jwt with a "
                + "key, none without both"
        )
        self.scopes = section.readList(
            "scopes", of: .scope, default: ["openid"], atMost: 32,
            "The scopes that the server asks for; many providers only renew sign-ins with offline_access")
        self.readsUserInfo = section.read(
            "userInfo", .flag, default: true,
            "Whether the server also asks the provider's userinfo endpoint, if there is one")
        self.pushesRequests = section.read(
            "pushRequests", .flag, default: true, "Whether requests are pushed, if the provider supports it (RFC 9126)")
        self.logoutPage = section.readOptional(
            "logoutPage", .webPage, example: "https://tv.example/",
            "The page that the provider sends browsers to after a logout")
        self.authorities = section.readOptional(
            "authorities", .file, example: "cable-nova-ca.pem",
            "The certificate authorities of the provider; left out, those of the system")
    }

    func files(_ method: ClientAuthentication.Method) -> [ProviderFile] {
        let secret =
            switch method {
            case .secretBasic, .secretPost: ProviderFile(Self.secretSetting, self.secretFile, isSecret: true)
            case .privateKey: ProviderFile(Self.keySetting, self.keyFile, isSecret: true)
            case .none: nil as ProviderFile?
            }
        return [secret, ProviderFile("oidc.authorities", self.authorities)].compactMap(\.self)
    }

    /// - Returns: `nil` when it is missing or not right, which is then reported.
    func clientID(_ section: SettingsSection) -> String? {
        if !section.has("clientID") { section.fault("clientID", "is missing; the provider gives it") }
        return self.givenClientID
    }

    /// The issuer, or the one whose metadata is at the address given.
    /// - Returns: `nil` if it cannot be told, which is then reported.
    func issuer(_ section: SettingsSection) -> Issuer? {
        let text: String
        if let given = self.givenIssuer {
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
                self.givenIssuer == nil ? "metadataAddress" : "issuer",
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

    /// - Returns: `nil` if what is set contradicts it, which is then reported.
    func method(_ section: SettingsSection) -> ClientAuthentication.Method? {
        let usual: ClientAuthentication.Method =
            self.secretFile != nil ? .secretBasic : self.keyFile != nil ? .privateKey : .none
        let method = self.givenMethod ?? usual
        let fault: (String, String)? =
            switch (method, self.secretFile != nil, self.keyFile != nil) {
            case (.secretBasic, true, false), (.secretPost, true, false), (.privateKey, false, true),
                (.none, false, false):
                nil
            case (.secretBasic, false, _), (.secretPost, false, _): ("clientSecret", "is missing")
            case (.secretBasic, true, true), (.secretPost, true, true): ("clientKey", "is set beside a secret")
            case (.privateKey, _, false): ("clientKey", "is missing")
            case (.privateKey, true, true): ("clientSecret", "is set beside a key")
            case (.none, true, _), (.none, _, true):
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
            text.wholeMatch(of: /[\x21\x23-\x5B\x5D-\x7E]{1,128}/) != nil
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
