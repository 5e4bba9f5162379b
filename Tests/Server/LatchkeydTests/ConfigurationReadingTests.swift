import Clientless
import CommandLineTool
import Entitlement
import HTTPServer
import Observability
import ServerAPI
import Stores
import Testing
import latchkeyd

@Suite("A configuration")
struct ConfigurationReadingTests {
    @Test func `that leaves out what has a default gets the defaults of the components`() throws {
        let configuration = try configuration(smallConfiguration)
        let http = HTTPServerConfiguration(addresses: [])
        let limits = Entitlements.Limits()
        #expect(configuration.server.publicURL == "https://tv.example")
        #expect(configuration.server.http.addresses == [.tcp(host: "127.0.0.1", port: 8080)])
        #expect(configuration.server.http.maximumBodySize == http.maximumBodySize)
        #expect(configuration.server.http.idleTimeout == http.idleTimeout)
        #expect(configuration.pairing.codesPerDevice == limits.codesPerDevice)
        #expect(configuration.pairing.guessing.address == limits.guessing.address)
        #expect(configuration.calls.api.clockWindow == .seconds(900))
        #expect(configuration.calls.api.throttle == Throttle.Settings())
        #expect(configuration.issuer == "tv.example")
        let requestor = try #require(configuration.catalogue.requestors.first)
        #expect(requestor.strictness == .strict)
        #expect(requestor.integrations.first?.authenticationLifetime == .seconds(30 * 86_400))
        #expect(requestor.integrations.first?.authorizationLifetime == .seconds(86_400))
        #expect(requestor.integrations.first?.mediaTokenLifetime == .seconds(420))
    }

    @Test func `may hold comments, bare keys, single quotes, final commas and hexadecimal numbers`() throws {
        let configuration = try configuration(
            """
            // A comment that mentions { and "
            {
                /* another
                   of two lines: [ */
                'server': { publicURL: 'https://tv.example/', threads: 0x4, idleTimeout: '90s', }, // the end
                "log": { level: 'debug' },
                providers: [], requestors: [],
            }
            """)
        #expect(configuration.server.publicURL == "https://tv.example")
        #expect(configuration.server.http.threads == 4)
        #expect(configuration.server.http.idleTimeout == .seconds(90))
        #expect(configuration.log.level == .debug)
    }

    @Test func `sets what it names`() throws {
        let configuration = try configuration(
            """
            { server: { publicURL: "http://box.lan:8080", listen: ["*:80", "[::1]:8443", "unix:/run/l.sock"],
                        trustedProxies: ["unix", "10.0.0.1", "10.8.0.0/16"] },
              store: { file: "/srv/store.sqlite" },
              pairing: { codeGuesses: { failures: 3, penalty: "1h" } },
              calls: { issuer: "issuer.example", throttle: { enabled: false } },
              providers: [{ id: "A", name: "A" }, { id: "B", name: "B", logo: "https://b.example/b.png" }],
              requestors: [{ id: "R", name: "R", strictness: "compatible", domains: ["r.example"],
                             redirectSchemes: ["rplayer"],
                             integrations: [{ provider: "B", enabled: false },
                                            { provider: "A", mediaTokenLifetime: "5m", authPerAggregator: true }] }] }
            """)
        #expect(
            configuration.server.http.addresses == [
                .tcp(host: "", port: 80), .tcp(host: "::1", port: 8443), .unix(path: "/run/l.sock"),
            ])
        #expect(configuration.server.trustedProxies.map(\.description) == ["unix", "10.0.0.1", "10.8.0.0/16"])
        #expect(configuration.path(configuration.store.file) == "/srv/store.sqlite")
        #expect(configuration.path(configuration.keys.folder) == "/etc/latchkeyd/keys")
        #expect(configuration.pairing.guessing.address.failures == 3)
        #expect(configuration.pairing.guessing.address.penalty == .seconds(3600))
        #expect(configuration.pairing.guessing.address.window == .seconds(600))
        #expect(configuration.calls.api.throttle == nil)
        #expect(configuration.issuer == "issuer.example")
        let requestor = try #require(configuration.catalogue.requestors.first)
        #expect(requestor.strictness == .compatible)
        #expect(requestor.integrations.map(\.mvpd.text) == ["B", "A"])
        #expect(requestor.integrations.map(\.isEnabled) == [false, true])
        #expect(configuration.catalogue.mvpds(of: requestor).map(\.id.text) == ["A"])
        #expect(requestor.integrations[1].mediaTokenLifetime == .seconds(300))
        #expect(requestor.integrations[1].authPerAggregator)
    }

    @Test func `names another store, and keeps its connection's secrets out of the file and of what is said`() throws {
        func text(_ store: String) -> String {
            smallConfiguration.replacing("    providers: [", with: "    store: { \(store) }, providers: [")
        }
        let connection = "host=db1,db2 dbname=latchkey"
        let read = try configuration(text("kind: 'postgres', connection: '\(connection)', connections: 9"))
        #expect(read.store.kind == .postgres)
        #expect(read.store.postgres.connection == connection)
        #expect(read.store.postgres.connections == 9)
        #expect(read.store.migrating.connection == connection)
        #expect(
            faults(of: text("kind: 'postgres'"))
                == ["store.connection is missing; a store of kind postgres needs it."])
        let withPassword = faults(of: text("kind: 'postgres', connection: 'host=db1 password=tr0ub4dor'"))
        #expect(withPassword.count == 1)
        #expect(withPassword.allSatisfy { $0.contains("must not hold a password") && !$0.contains("tr0ub4dor") })
        #expect(faults(of: text("kind: 'postgres', connection: 'nonsense'")).count == 1)
    }

    @Test(
        "takes times with a unit, and gives them back in the largest one that fits",
        arguments: [("1500ms", "1500ms"), ("60s", "1m"), ("90s", "90s"), ("24h", "1d"), ("36h", "36h")])
    func times(given: String, shown: String) throws {
        let text = smallConfiguration.replacing(
            "{ provider: \"CableNova\" }", with: "{ provider: \"CableNova\", authorizationLifetime: \"\(given)\" }")
        let lifetime = try #require(try configuration(text).catalogue.requestors[0].integrations.first)
            .authorizationLifetime
        #expect(DurationText.write(lifetime) == shown)
    }
}
