import Clientless
import CommandLineTool
import Cryptography
import Observability
import OpenIDConnect
import TestSupport
import Testing

@testable import latchkeyd

@Suite("A configured provider with OpenID Connect", .demo)
struct OpenIDConnectKindTests {
    private static let mvpd = MVPDID("CableNova")!

    private static func text(_ oidc: String, kind: String = "oidc") -> String {
        configurationText(provider: "kind: '\(kind)', oidc: { \(oidc) }")
    }

    private static let least = "clientID: 'latchkey', lineUpClaim: 'channels', "

    private func kind(_ oidc: String) throws -> OpenIDConnectKind {
        let configuration = try configuration(Self.text(oidc))
        return try #require(configuration.providers[Self.mvpd]?.kind as? OpenIDConnectKind)
    }

    @Test func `needs no more than an address, an ID, a secret and where channels are said`() throws {
        let path = "/.well-known/openid-configuration"
        for address in ["issuer: 'https://idp.example'", "metadataAddress: 'https://idp.example\(path)'"] {
            let kind = try self.kind("\(Self.least) clientSecret: 'nova.secret', \(address)")
            #expect(kind.issuer.text == "https://idp.example")
            #expect(kind.method == .secretBasic && kind.settings.scopes == ["openid"])
            #expect(kind.files.map(\.name) == ["nova.secret"] && kind.files.allSatisfy(\.isSecret))
        }
        let local = try self.kind("\(Self.least) issuer: 'http://127.0.0.1:8080/api'")
        #expect(local.policy == .secureOrLoopback && local.method == .none)
    }

    @Test(arguments: [
        ("issuer: 'https://idp.example', lineUp: ['*']", "clientID"),
        ("clientID: 'a', lineUp: ['*']", "issuer"),
        ("clientID: 'a', lineUp: ['*'], issuer: 'http://idp.example'", "issuer"),
        ("clientID: 'a', lineUp: ['*'], metadataAddress: 'https://idp.example/facts'", "issuer"),
        ("clientID: 'a', issuer: 'https://idp.example'", "lineUpClaim"),
        ("clientID: 'a', issuer: 'https://idp.example', lineUp: ['*'], lineUpClaim: 'x'", "lineUp"),
        (
            "clientID: 'a', issuer: 'https://idp.example', lineUp: ['*'], clientSecret: 'a', clientKey: 'b'",
            "clientKey"
        ),
        (
            "clientID: 'a', issuer: 'https://idp.example', lineUp: ['*'], clientAuthentication: 'private_key_jwt'",
            "clientKey"
        ),
        ("clientID: 'a', issuer: 'https://idp.example', lineUp: ['*'], metadata: [{ key: 'zip' }]", "claim"),
        ("metadata: [{ key: 'zip', claim: 'zip', pattern: '(' }]", "pattern"),
        ("metadata: [{ key: 'zip', claim: 'zip', hash: 'salted' }]", "salt"),
        ("metadata: [{ key: 'a', claim: 'b' }, { key: 'a', claim: 'c' }]", "metadata"),
    ])
    func `is refused with what contradicts itself or is missing`(oidc: String, setting: String) {
        let found = faults(of: Self.text(oidc))
        // An integration with a provider that was not taken is reported, too.
        #expect(found.contains { $0.contains("oidc") && $0.contains(".\(setting) ") }, "\(found)")
    }

    @Test func `is not set for providers of other kinds`() {
        #expect(faults(of: Self.text("clientID: 'a'", kind: "local")).count == 1)
        #expect(faults(of: Self.text("metadata: []", kind: "local")) == [])
    }

    @Test func `keeps its client while its settings stay, and its secret does`() async throws {
        let clients = ProviderClients(logger: Logger.silent)
        let configuration = try configuration(smallConfiguration)
        let kind = try self.kind("\(Self.least) issuer: 'https://idp.example', clientSecret: 'a'")
        let other = try self.kind("\(Self.least) issuer: 'https://idp.example', clientSecret: 'a', scopes: ['tv']")
        func client(_ kind: OpenIDConnectKind, _ secret: String) throws -> ObjectIdentifier {
            ObjectIdentifier(
                try kind.client(
                    of: Self.mvpd, [OpenIDConnectSettings.secretSetting: Secret(secret)], clients, in: configuration))
        }
        clients.beginRound()
        let first = try client(kind, "one")
        clients.forgetOthers()
        clients.beginRound()
        #expect(try client(kind, "one") == first)
        #expect(try client(kind, "two") != first)
        #expect(try client(other, "one") != first)
        clients.forgetOthers()
        #expect(try client(kind, "one") == first)
        await clients.shutDown()
    }

    @Test func `says what the claims of a viewer become, without asking the provider`() async throws {
        let settings = """
            id: "RealTV", name: "Real TV", kind: "oidc", oidc: {
                issuer: "https://idp.example", clientID: "latchkey", lineUpClaim: ["tv", "channels"],
                metadata: [
                    { key: "zip", claim: "zip", pattern: "^([0-9]{2})", template: "$1xxx", list: true },
                    { key: "householdID", claim: "household", hash: "keyed" }, { key: "maxRating", claim: "age" },
                ] }
            """
        try setUp.replace("providers: [\n", with: "providers: [\n{ \(settings) },\n")
        let claims = #"{"zip":["10115","x"],"household":"h1","tv":{"channels":["NS-MAIN",7]}}"#
        let program = "'\(BuiltProgram.path)' provider try-mapping RealTV --config '\(setUp.configurationFile)'"
        let (end, output, talk) = try await ChildProcess("sh", ["-c", "echo '\(claims)' | \(program)"]).run()
        #expect(end == .exited(0), "\(talk)")
        #expect(output.contains(#""lineUp":["NS-MAIN","7"]"#) && output.contains(#""zip":["10xxx"]"#), "\(output)")
        #expect(!output.contains("h1") && talk.contains("maxRating"))
        let (_, _, doubt) = try await ChildProcess(
            "sh", ["-c", "echo '{\"tv\":{\"channels\":{\"a\":1}}}' | \(program)"]
        ).run()
        #expect(doubt.contains("may play nothing: the line-up 'tv.channels' is no list of names"), "\(doubt)")
        let local = try await setUp.run("provider", "check", "DemoTV")
        #expect(local.code == .usage && local.talk.contains("is of kind local. "), "\(local.talk)")
        try await setUp.run("provider", "check", "RealTW").expect(
            .usage, talk: "of kind oidc or saml. Did you mean 'RealTV'?")
    }
}
