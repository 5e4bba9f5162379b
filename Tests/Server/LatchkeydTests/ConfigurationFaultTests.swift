import CommandLineTool
import FoundationEssentials
import Testing
import latchkeyd

/// The beginning of the sentence about a text that is no JSON5: no setting, which a part of a secret may be taken for.
private let unread = "the configuration cannot be read"

@Suite("A broken configuration")
struct ConfigurationFaultTests {
    @Test func `is answered with every fault at once, each with its line, its path and what would be right`() {
        let text = """
            {
                server: {
                    publicURL: "tv.example",
                    listen: ["127.0.0.1:8080", "localhost", "127.0.0.1:8080"],
                    maximumBodySize: 12,
                    idleTimeout: "soon",
                    certificate: "chain.pem",
                },
                log: { level: "loud" },
                calls: { clockWindow: "1s", metricsReaders: ["everyone"] },
                providers: [
                    { id: "CableNova", name: "Cable Nova" },
                    { id: "CableNova", name: "Another" },
                    { id: "Cable Nova", name: "" },
                    { id: "Other", name: "Other", kind: "cable" },
                ],
                requestors: [
                    {
                        id: "NORTHSPORT", name: "North Sport",
                        domains: ["https://north-sport.example", "North.example"],
                        redirectSchemes: ["javascript"],
                        integrations: [
                            { provider: "CableNove" }, { provider: "Other" },
                            { provider: "CableNova", authenticationLifetime: "400d" },
                            { provider: "CableNova", mediaTokenLifetime: 420 },
                        ],
                    },
                    { id: "NORTHSPORT", name: "Again" },
                    { name: "Nameless" },
                    "NORTHSPORT",
                ],
            }
            """
        let units = "a whole number with one of the units ms, s, m, h, d"
        let listen =
            #""127.0.0.1:8080", "[::1]:8080", "*:8080" for every address, or "unix:/path" of at most 107 bytes"#
        let domain = #"a domain in lower case, such as "north-sport.example", without scheme or port"#
        let kinds = ProviderKinds.names.map { #""\#($0)""# }.joined(separator: ", ")
        #expect(
            Set(faults(of: text)) == [
                #"line 3: server.publicURL must be an http or https address in ASCII (xn-- for umlauts), without a path, such as "https://tv.example", not "tv.example"."#,
                #"line 4: server.listen[1] must be \#(listen), not "localhost"."#,
                #"line 4: server.listen[2] repeats "127.0.0.1:8080"."#,
                "line 5: server.maximumBodySize must be a whole number from 4096 to 16777216, not 12.",
                #"line 6: server.idleTimeout must be a time from "1s" to "1h", \#(units), not "soon"."#,
                "server.certificateKey is missing, but certificate is set.",
                #"line 9: log.level must be one of "debug", "info", "notice", "warning", "error", not "loud"."#,
                #"line 10: calls.clockWindow must be a time from "30s" to "1d", \#(units), not "1s"."#,
                #"line 10: calls.metricsReaders[0] must be an IP address such as "10.0.0.1", a network such as "10.0.0.0/8", or "unix", not "everyone"."#,
                #"line 13: providers[1].id is "CableNova" again; another provider has this ID (line 12)."#,
                "line 14: providers[2].id must be a provider ID: 1 to 64 letters, digits, '_' or '-', not \"Cable Nova\".",
                #"line 14: providers[2].name must be text of 1 to 64 characters on one line, not ""."#,
                #"line 15: providers[3].kind must be one of \#(kinds), not "cable"."#,
                #"line 20: requestors[0].domains[0] must be \#(domain), not "https://north-sport.example"."#,
                #"line 20: requestors[0].domains[1] must be \#(domain), not "North.example"."#,
                #"line 21: requestors[0].redirectSchemes[0] must be an application's own scheme in lower case, such as "hcplayer", without "://", not "javascript"."#,
                #"line 23: requestors[0].integrations[0].provider is "CableNove", which none of the providers has as its ID; perhaps "CableNova" is meant."#,
                #"line 24: requestors[0].integrations[2].authenticationLifetime must be a time from "1s" to "366d", \#(units), not "400d"."#,
                #"line 25: requestors[0].integrations[3].mediaTokenLifetime must be a time from "1s" to "1h", \#(units), not 420."#,
                #"line 25: requestors[0].integrations[3].provider is "CableNova" again; the requestor has it already."#,
                #"line 28: requestors[1].id is "NORTHSPORT" again; another requestor has this ID (line 19)."#,
                "requestors[2].id is missing; it must be a requestor ID: 1 to 64 letters, digits, '_' or '-'.",
                #"line 30: requestors[3] must be a group of settings in { }, not "NORTHSPORT"."#,
            ])
    }

    @Test(
        "with a key that is no setting is told so, and which one was probably meant",
        arguments: [
            (
                "{ server: { publicURL: 'https://a.example', listen: ['127.0.0.1:8080', '*:8080'] } }",
                "line 1: server.listen names *:8080, which covers 127.0.0.1:8080; leave one of them out."
            ),
            (
                "{ server: { publicURL: 'https://a.example', listen: ['0.0.0.0:80', '127.0.0.1:80', '[::1]:80'] } }",
                "line 1: server.listen names 0.0.0.0:80, which covers 127.0.0.1:80; leave one of them out."
            ),
            ("{ servers: {} }", "line 1: servers is not a setting; perhaps server is meant."),
            (
                "{ server: { publicURL: 'https://a.example', publicUrls: 1 } }",
                "line 1: server.publicUrls is not a setting; perhaps publicURL is meant."
            ),
            (
                "{ log: { colour: 'red' }, server: { publicURL: 'https://a.example' } }",
                "line 1: log.colour is not a setting; the settings here are level, format."
            ),
            (
                "{ server: { publicURL: 'https://a.example' }, providers: [{ id: 'A', name: 'A', 'dis play': 1 }] }",
                #"line 1: providers[0]["dis play"] is not a setting; the settings here are id, name, logo, regions, "#
                    + "authenticationLifetime, authorizationLifetime, mediaTokenLifetime, answerTime, proxy, home, kind, trial, "
                    + "oidc, saml, authorization."
            ),
        ])
    func unknownKeys(text: String, expected: String) { #expect(faults(of: text).contains(expected)) }

    @Test func `with a key given twice is told so`() {
        let text = "{\n server: { publicURL: 'https://a.example',\n publicURL: 'https://b.example' }\n}"
        #expect(faults(of: text) == ["line 3: server.publicURL is given twice."])
    }

    @Test(arguments: [
        ("", "line 1: the configuration is empty; it is a group of settings in { }."),
        ("// nothing\n", "line 2: the configuration is empty; it is a group of settings in { }."),
        ("{\n server: {\n", "line 2: the configuration has a '{' here that is never closed."),
        ("{\n a: 1\n b: 2 }", "line 3: \(unread): expected ',' or '}', found a word or a number."),
        ("{\n a 1 }", "line 2: \(unread): expected ':' after the key, found a word or a number."),
        ("{ privateKey 'k7Qm' }", "line 1: \(unread): expected ':' after the key, found a text."),
        ("{ key: 'k7'Qm' }", "line 1: \(unread): expected ',' or '}', found a word or a number."),
        ("{ key: 'k7',Qm' }", "line 1: \(unread): expected ':' after the key, found '}'."),
        ("{ key: 7k,Qm:x1' }", "line 1: \(unread): a value needs quotes around it."),
        ("{ a: [1 2] }", "line 1: \(unread): expected ',' or ']', found a word or a number."),
        ("{ a: ] }", "line 1: \(unread): expected a value, found ']'."),
        ("{ a: 1 } }", "line 1: \(unread): expected nothing more, found '}'."),
        ("{\n\n a: 'x\n }", "line 3: \(unread): a text begins that has no closing quote on its line."),
        ("{ a: 1 /* }", "line 1: \(unread): a comment begins that has no end."),
        ("{ log: { level: debug } }", "line 1: \(unread): a value needs quotes around it."),
        ("[]", "the configuration must be a group of settings in { }."),
        ("{ server: [] }", "line 1: server must be a group of settings in { }, not []."),
    ])
    func `that cannot be read at all is told where the text breaks off`(text: String, expected: String) {
        #expect(faults(of: text).contains(expected), "\(faults(of: text))")
    }

    @Test func `with a number the decoder does not take, or nested without end, is refused all the same`() {
        #expect(faults(of: "{ server: 1.2.3 }") != [])
        #expect(faults(of: String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)) != [])
    }

    @Test func `is taken with a byte order mark, and without one that everybody is a proxy for`() throws {
        #expect(faults(of: "\u{FEFF}\(smallConfiguration)") == [])
        func proxies(_ text: String) -> [String] {
            faults(
                of: smallConfiguration.replacing(
                    #"publicURL: "https://tv.example""#,
                    with: #"publicURL: "https://tv.example", trustedProxies: [\#(text)]"#))
        }
        #expect(proxies(#""10.0.0.0/8", "unix", "2001:db8::/32""#) == [])
        for everyone in ["0.0.0.0/0", "::/0", "128.0.0.0/1"] {
            let found = proxies("\"10.0.0.1\", \"\(everyone)\"")
            #expect(found.count == 1 && found[0].contains("number 2, that is nearly every address"), "\(found)")
        }
    }

    @Test func `that is too long, or is not UTF-8, is refused before it is taken apart`() {
        let long = "{ /*" + String(repeating: " ", count: Configuration.maximumSize) + "*/ }"
        #expect(
            faults(of: long) == [
                "the configuration has \(Configuration.maximumSize + 8) bytes; at most 1048576 are read."
            ])
        #expect(throws: ConfigurationFaults.self) {
            try Configuration(text: Data([0x7B, 0x7D, 0xFF]), folder: "/")
        }
    }
}
