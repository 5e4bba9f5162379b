import Clientless
import Entitlement
import Testing

@testable import latchkeyd

@Suite("A configured provider that knows viewers by their home")
struct HomeSettingsTests {
    private static func text(_ home: String) -> String {
        let kind = "kind: 'oidc', oidc: { issuer: 'https://idp.example', clientID: 'latchkey', lineUp: ['*'] }"
        return configurationText(provider: "\(kind), home: { \(home) }")
    }

    private func rules(_ home: String) throws -> HomeRules? {
        try configuration(Self.text(home)).catalogue.mvpd(MVPDID("CableNova")!)?.home
    }

    @Test("is asked to sign them in where that is agreed, from networks or anywhere, for a day unless it is said")
    func taken() throws {
        #expect(try self.rules("") == nil)
        #expect(try self.rules("signIn: true") == HomeRules(networks: [], lifetime: .seconds(86_400)))
        let rules = try self.rules("signIn: true, networks: ['192.0.2.0/24', '2001:db8::/32'], lifetime: '1h'")
        #expect(rules?.networks.map(\.description) == ["192.0.2.0/24", "2001:db8:0:0::/32"])
        #expect(rules?.lifetime == .seconds(3600))
    }

    @Test func `names networks that are some, and only where it is asked to`() {
        for kind in ["kind: 'local'", "kind: 'temporaryPass', trial: { lifetime: '1h' }"] {
            let found = faults(of: configurationText(provider: "\(kind), home: { signIn: true }"))
            #expect(found.contains { $0.contains(".home is set, but ") }, "\(found)")
        }
        #expect(faults(of: Self.text("networks: ['192.0.2.0/24']")).contains { $0.contains("home.networks ") })
        for network in ["unix", "2001:db8::1", "192.0.2.1/24", "home"] {
            #expect(!faults(of: Self.text("signIn: true, networks: ['\(network)']")).isEmpty, "\(network)")
        }
    }
}
