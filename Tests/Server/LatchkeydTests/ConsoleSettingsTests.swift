import HTTPServer
import Testing
import latchkeyd

@Suite("Where the console is")
struct ConsoleSettingsTests {
    private static func configured(_ console: String) -> String {
        smallConfiguration.replacing("providers:", with: "console: \(console), providers:")
    }

    private static func settings(_ console: String) throws -> ConsoleSettings {
        try configuration(Self.configured(console)).console
    }

    @Test(
        "A socket beside the store that is the server's own, unless something else is configured; nowhere for an empty list"
    )
    func addresses() throws {
        let usual = try configuration(smallConfiguration).console
        #expect(
            usual.addresses(besideStore: "/var/lib/x/latchkeyd.sqlite") == [
                .unix(path: "/var/lib/x/console.socket", mode: 0o600)
            ])
        #expect(!usual.isReachedFromElsewhere && !usual.asksEveryone)
        let chosen = try Self.settings(#"{ listen: ["127.0.0.1:8901", "[::1]:8901"], alwaysSignIn: true }"#)
        #expect(chosen.addresses(besideStore: "/x/y").count == 2 && chosen.asksEveryone)
        #expect(!chosen.isReachedFromElsewhere)
        #expect(try Self.settings("{ listen: [] }").addresses(besideStore: "/x/y").isEmpty)
    }

    @Test("On a port everyone signs in, unless the operator wants it otherwise")
    func port() throws {
        #expect(try Self.settings(#"{ listen: ["127.0.0.1:8901"] }"#).asksEveryone)
        #expect(try Self.settings(#"{ listen: ["unix:/run/x.socket", "[::1]:8901"] }"#).asksEveryone)
        #expect(try !Self.settings(#"{ listen: ["unix:/run/x.socket"] }"#).asksEveryone)
        #expect(try !Self.settings(#"{ listen: ["127.0.0.1:8901"], alwaysSignIn: false }"#).asksEveryone)
    }

    @Test func `The server's own address is a fault`() {
        let text = Self.configured(#"{ listen: ["127.0.0.1:8901"] }"#)
        #expect(faults(of: text).isEmpty)
        for own in ["127.0.0.1", "0.0.0.0", "*"] {
            let both = text.replacing("publicURL:", with: #"listen: ["\#(own):8901"], publicURL:"#)
            #expect(faults(of: both).contains { $0.contains("which is an address of server.listen") })
        }
    }

    @Test("Beyond this machine it needs a certificate", arguments: ["*:8901", "192.0.2.1:8901", "[2001:db8::1]:8901"])
    func certificate(_ address: String) throws {
        let text = Self.configured("{ listen: [\"\(address)\"] }")
        #expect(faults(of: text).contains { $0.contains("console") && $0.contains("server.certificate") })
        let secured = text.replacing(
            "publicURL:", with: #"certificate: "chain.pem", certificateKey: "key.pem", publicURL:"#)
        #expect(faults(of: secured).isEmpty)
        #expect(try configuration(secured).console.isReachedFromElsewhere)
    }
}
