import CommandLineTool
import Cryptography
import OpenIDConnect
import Providers

/// The group `authorization` of a TV provider: where its decisions are asked for.
struct DecisionPointSettings: Hashable, Sendable {
    static let tokenSetting = "authorization.token"
    private static let names = ["issuer", "token", "certificate", "key", "authorities"]

    enum Form: String, Hashable, Sendable {
        case json, xacml
    }

    let address: String
    let form: Form
    let issuer: String?
    let time: Duration
    let transport: ProviderClients.Transport
    private let tokenFile: String?

    static func isSet(_ provider: SettingsSection) -> Bool { provider.has("address", in: "authorization") }

    /// - Returns: `nil` when there is none, or something is wrong, which is then reported.
    static func read(_ provider: SettingsSection) -> DecisionPointSettings? {
        provider.section(
            "authorization",
            "The service that the server asks what the provider's viewers may play; left out, there is none"
        ) {
            section in
            let address = section.readOptional(
                "address", .webPage, example: "https://idp.cable-nova.example/latchkey/decisions",
                "The provider's authorization endpoint")
            let form = section.read(
                "form", .choice([.json, .xacml]), default: Form.json,
                "The form of questions: json, or xacml for the classic form in SOAP (SAML 2.0 profile of XACML 2.0)")
            let issuer = section.readOptional(
                "issuer", .label(1...1024), example: "https://tv.example/saml",
                "The name of this server in questions in xacml; left out, the address of this server")
            let token = section.readOptional(
                "token", .file, example: "cable-nova.token", "The file with the bearer token, in its first line")
            let transport = Self.transport(section)
            let time = section.read(
                "time", .duration(.milliseconds(100) ... .seconds(10)), default: .seconds(2),
                "How long an answer may take")
            guard let address = section.endpoint(address, neededBy: Self.names, called: "an endpoint"),
                Self.isSound(form, issuer, transport, section)
            else { return nil }
            return DecisionPointSettings(
                address: address, form: form, issuer: issuer, time: time, transport: transport, tokenFile: token)
        }
    }

    /// Whether the settings fit one another; what does not is reported.
    private static func isSound(
        _ form: Form, _ issuer: String?, _ transport: ProviderClients.Transport, _ section: SettingsSection
    ) -> Bool {
        guard form == .xacml || issuer == nil else {
            section.fault("issuer", "is set, but form is not xacml")
            return false
        }
        guard (transport.certificate == nil) == (transport.key == nil) else {
            section.fault(transport.certificate == nil ? "certificate" : "key", "is missing; the two go together")
            return false
        }
        return true
    }

    private static func transport(_ section: SettingsSection) -> ProviderClients.Transport {
        var transport = ProviderClients.Transport()
        transport.certificate = section.readOptional(
            "certificate", .file, example: "cable-nova-client.pem",
            "The certificate of this server, with its chain; PEM; needs key")
        transport.key = section.readOptional(
            "key", .file, example: "cable-nova-client-key.pem", "The certificate's private key; PEM")
        transport.authorities = section.readOptional(
            "authorities", .file, example: "cable-nova-ca.pem",
            "The certificate authorities of the endpoint; left out, those of the system")
        return transport
    }

    var files: [ProviderFile] {
        [
            ProviderFile(Self.tokenSetting, self.tokenFile, isSecret: true),
            ProviderFile("authorization.key", self.transport.key, isSecret: true),
            ProviderFile("authorization.certificate", self.transport.certificate),
            ProviderFile("authorization.authorities", self.transport.authorities),
        ].compactMap(\.self)
    }

    func faults(_ files: [String: Secret]) -> [String] {
        OperatorError.sentences { () throws(OperatorError) in _ = try self.token(files) }
    }

    func point(
        _ files: [String: Secret], _ clients: ProviderClients, in configuration: Configuration
    ) throws(OperatorError) -> any AuthorizationEndpoint {
        let call = AuthorizationCall(
            self.address, token: try self.token(files), time: self.time,
            exchange: clients.exchange(self.transport.located(configuration.path)))
        switch self.form {
        case .json: return HTTPDecisionPoint(call)
        case .xacml: return XACMLDecisionPoint(call, issuer: self.issuer ?? configuration.server.publicURL)
        }
    }

    private func token(_ files: [String: Secret]) throws(OperatorError) -> Secret? {
        try files[Self.tokenSetting].map { (text) throws(OperatorError) in
            try BoxNoticeSettings.token(in: text, "of authorization.token")
        }
    }
}
