import Clientless
import Cryptography
import Testing

@testable import latchkeyd

@Suite("Where a configured provider's decisions are asked for")
struct DecisionPointSettingsTests {
    private static func text(_ authorization: String, oidc: String = "", kind: String = "oidc") -> String {
        let client = kind == "oidc" ? "oidc: { issuer: 'https://idp.example', clientID: 'a', \(oidc) }" : ""
        return configurationText(provider: "kind: '\(kind)', authorization: { \(authorization) }, \(client)")
    }

    @Test func `needs an address, and no line-up beside it; it goes with accounts of our own as well`() throws {
        let point = "address: 'https://idp.example/decide', token: 'token', certificate: 'c.pem', key: 'k.pem'"
        let configuration = try configuration(Self.text(point))
        let settings = try #require(configuration.providers[MVPDID("CableNova")!]?.point)
        #expect(settings.time == .seconds(2))
        #expect(settings.files.map(\.name) == ["token", "k.pem", "c.pem"])
        #expect(settings.files.map(\.isSecret) == [true, true, false])
        #expect(settings.form == .json)
        #expect(faults(of: Self.text(point, kind: "local")) == [])
        #expect(faults(of: Self.text("", oidc: "lineUp: ['*']")) == [])
    }

    @Test func `may be asked in XACML, under a name of this server`() throws {
        let text = Self.text("address: 'https://idp.example/decide', form: 'xacml', issuer: 'https://tv.example/saml'")
        let settings = try #require(try configuration(text).providers[MVPDID("CableNova")!]?.point)
        #expect(settings.form == .xacml && settings.issuer == "https://tv.example/saml")
    }

    @Test(
        "is refused where something is missing or stands beside something else",
        arguments: [
            ("address: 'https://idp.example/decide'", "lineUp: ['*']", "lineUp"),
            ("address: 'https://idp.example/decide'", "lineUpClaim: 'channels'", "lineUpClaim"),
            ("address: 'https://idp.example/decide', key: 'k.pem'", "", "certificate"),
            ("address: 'https://idp.example/decide', certificate: 'c.pem'", "", "key"),
            ("address: 'http://idp.example/decide'", "", "address"), ("token: 'token'", "lineUp: ['*']", "token"),
            ("address: 'https://idp.example/decide', time: '1h'", "", "time"),
            ("address: 'https://idp.example/decide', form: 'soap'", "", "form"),
            ("address: 'https://idp.example/decide', issuer: 'a'", "", "issuer"),
        ])
    func refused(_ authorization: String, _ oidc: String, _ setting: String) {
        let found = faults(of: Self.text(authorization, oidc: oidc))
        #expect(found.contains { $0.contains(".\(setting) ") }, "\(found)")
    }

    @Test func `needs a token that a header can carry`() throws {
        let settings = try #require(
            try configuration(Self.text("address: 'https://idp.example/decide', token: 'token'"))
                .providers[MVPDID("CableNova")!]?.point)
        #expect(settings.faults([DecisionPointSettings.tokenSetting: Secret("abc\r\nX: y")]) == [])
        for token in ["", "a b", "ä", "\n"] {
            #expect(settings.faults([DecisionPointSettings.tokenSetting: Secret(token)]).count == 1, "\(token)")
        }
    }
}
