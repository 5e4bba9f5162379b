import Clientless
import CommandLineTool
import Entitlement
import FoundationEssentials
import HTTPServer
import POSIX
import ServerAPI
import TestSupport
import Testing
import latchkeyd

@Suite("latchkeyd init")
struct InitTests {
    @Test("makes a set-up that check-config finds no fault with, and that shows every default", .timeLimit(.minutes(5)))
    func plain() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("server")
        try await CommandRun.run("init", "--folder", path, "--public-url", "https://tv.example").expect(.success)
        #expect(try await CommandRun.run("check-config", "\(path)/latchkeyd.json5").expect(.success).output == "")

        let text = try folder.read("server/latchkeyd.json5")
        #expect(text.contains("\n        publicURL: \"https://tv.example\",\n"))
        #expect(text.contains("\n        // maximumBodySize: 262144,\n"))
        #expect(text.contains("\n        issuer: \"tv.example\",\n"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
        let configuration = try configuration(text)
        #expect(configuration.server.http.addresses == [.tcp(host: "127.0.0.1", port: 8080)])
        #expect(configuration.catalogue.requestors.isEmpty)
    }

    @Test("takes a first provider, brand and proxy, and leaves a configuration that warns of nothing")
    func ready() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("server")
        let arguments = ["init", "--folder", path, "--public-url", "https://tv.example"]
        for wrong in [
            ["--requestor", "NORTHSPORT"], ["--provider", "a b"], ["--trusted-proxy", "10.0.0.0/99"],
            ["--demo", "--provider", "CableNova"], ["--certificate", "chain.pem"], ["--provider-name", "Cable Nova"],
            ["--certificate-key", "key.pem"], ["--demo", "--certificate", "chain.pem", "--certificate-key", "key.pem"],
            ["--public-url", "http://tv.example", "--certificate", "chain.pem", "--certificate-key", "key.pem"],
        ] {
            #expect(try await CommandRun.run(arguments + wrong).code == .usage, "\(wrong)")
            #expect(!FileManager.default.fileExists(atPath: path), "\(wrong)")
        }
        try await CommandRun.run(
            "init", "--folder", folder.file("alone"), "--public-url", "https://tv.example", "--provider", "CableNova"
        ).expect(.success, output: "Add a requestor with 'latchkeyd requestor add ID --provider CableNova', then:")
        let more = [
            "--provider", "CableNova", "--requestor", "NORTHSPORT", "--requestor-name", "North Sport",
            "--trusted-proxy",
            "127.0.0.1",
        ]
        try await CommandRun.run(arguments + more).expect(
            .success, output: "'latchkeyd keys issue --requestor NORTHSPORT --setup-code'")
        let checked = try await CommandRun.run("check-config", "\(path)/latchkeyd.json5").expect(.success)
        #expect(checked.talk == "\(path)/latchkeyd.json5: no faults.\n")
        let configuration = try ConfigurationFile(path: "\(path)/latchkeyd.json5").read()
        #expect(configuration.server.trustedProxies == [IPNetwork("127.0.0.1")])
        #expect(configuration.catalogue.requestors.map(\.name) == ["North Sport"])
        #expect(configuration.catalogue.requestors.map(\.integrations.count) == [1])
        #expect(configuration.catalogue.mvpds.map(\.id.text) == ["CableNova"])
    }

    @Test("takes a certificate, and listens for everybody at the port of the public address", arguments: ["", ":8443"])
    func certificate(_ port: String) async throws {
        let folder = try TemporaryFolder()
        let made = try await CommandRun.run(
            "init", "--folder", folder.file("server"), "--public-url", "https://tv.example\(port)", "--certificate",
            "chain.pem", "--certificate-key", "key.pem"
        ).expect(.success, talk: "Still to do: server.certificate: ", "\(folder.file("server/chain.pem"))")
        #expect(made.talk.contains("Port 443 is root's") == port.isEmpty, "\(made.talk)")
        let server = try configuration(try folder.read("server/latchkeyd.json5")).server
        #expect(server.certificateFile == "chain.pem" && server.certificateKeyFile == "key.pem")
        #expect(server.http.addresses == [.tcp(host: "", port: port.isEmpty ? 443 : 8443)])
    }

    @Test("writes defaults that are the defaults: with all comments undone, the configuration is the same")
    func defaultsAreDefaults() async throws {
        let setUp = try await TestSetUp.newDemo()
        let text = try setUp.folder.read("server/latchkeyd.json5")
        // The optional ones show an example, not a default.
        let examples = [
            "certificate", "certificateKey", "threads", "format", "logo", "activationURL", "lifetime",
            "maximumResources", "identityKey", "releasedMetadata", "status", "mappingID", "profileRequest",
            "issuerMetadata", "entityID", "decryptionKey", "iFrameWidth", "iFrameHeight", "answerTime", "issuer",
            "metadataAddress", "clientID", "clientSecret", "clientKey", "clientKeyID", "clientAuthentication",
            "logoutPage", "authorities", "lineUpClaim", "metadataFile", "metadataCertificate", "serviceEntityID",
            "requestBinding", "nameIDFormat", "viewerAttribute", "lineUpAttribute", "address", "token", "key",
            "name", "regions", "connection", "migrationConnection", "places",
        ]
        let undone = text.split(separator: "\n").map { line in
            let bare = line.drop { $0 == " " }
            guard bare.hasPrefix("// "), bare.hasSuffix(","), let colon = bare.firstIndex(of: ":") else { return line }
            let key = bare[..<colon].dropFirst(3)
            return key.contains(" ") || examples.contains(String(key)) ? line : bare.dropFirst(3)
        }.joined(separator: "\n")
        #expect(undone != text)
        let (one, other) = (try configuration(text), try configuration(undone))
        #expect("\(one.server)" == "\(other.server)")
        #expect("\(one.pairing)" == "\(other.pairing)")
        #expect("\(one.calls)" == "\(other.calls)")
        #expect("\(one.store)" == "\(other.store)")
        #expect("\(one.catalogue.requestors)" == "\(other.catalogue.requestors)")
    }

    @Test func `lets nobody else at what it makes`() async throws {
        let setUp = try await TestSetUp.newDemo()
        #expect(PrivateFiles.status(setUp.path)?.modeText == "0700")
        #expect(PrivateFiles.status(setUp.file("keys"))?.modeText == "0700")
        let files = [
            "latchkeyd.json5", "latchkeyd.sqlite", "latchkey.json5", "latchkey-classic.json5", "demo-key-pair.json",
            "demo-application.json", "demo-operator.json",
            "keys/master-secret", "keys/token-signing-1.pem", "keys/software-statement-1.pem",
            "keys/access-token-1.pem",
        ]
        for file in files {
            #expect(PrivateFiles.status(setUp.file(file))?.modeText == "0600", "\(file)")
        }
    }

    @Test func `never changes a set-up that is there`() async throws {
        let setUp = try await TestSetUp.newDemo()
        let before = try setUp.folder.read("server/keys/master-secret")
        let again = try await CommandRun.run("init", "--folder", setUp.path).expect(.failure)
        #expect(
            again.talk
                == "latchkeyd: There is a set-up already: \(setUp.configurationFile) exists.\n"
                + "Nothing was changed. Take another folder with --folder, or move the old one aside.\n")
        #expect(try setUp.folder.read("server/keys/master-secret") == before)
    }

    @Test func `takes away what it made when it cannot make all of it, so that a second attempt works`() async throws {
        let folder = try TemporaryFolder()
        try Folder.makePrivate(folder.file("server"))
        // Written after the keys and the store, and in the way.
        try folder.write("mine", to: "server/latchkey.json5")
        try await CommandRun.run("init", "--demo", "--folder", folder.file("server")).expect(
            .stateProblem, talk: "latchkey.json5 cannot be written: it exists already.")
        #expect(try Folder.names(in: folder.file("server")) == ["latchkey.json5"])
        #expect(try folder.read("server/latchkey.json5") == "mine")
        try FileManager.default.removeItem(atPath: folder.file("server/latchkey.json5"))
        try await CommandRun.run("init", "--demo", "--folder", folder.file("server")).expect(.success)
    }

    @Test("--demo gives one strict and one compatible requestor, a viewer, and a password of its own each time")
    func demo() async throws {
        let folder = try TemporaryFolder()
        let one = try await CommandRun.run("init", "--demo", "--folder", folder.file("one"))
        let two = try await CommandRun.run("init", "--demo", "--folder", folder.file("two"))
        let passwords = [one, two].compactMap { run in
            run.output.split(separator: "\n").first { $0.contains("password ") }?.split(separator: " ").last
        }
        #expect(passwords.count == 2 && passwords[0] != passwords[1])
        let configuration = try configuration(try folder.read("one/latchkeyd.json5"))
        #expect(configuration.catalogue.requestors.map(\.strictness) == [.strict, .compatible])
        #expect(configuration.catalogue.requestors.map(\.usesEnhancedErrors) == [true, false])
        let preview = try #require(configuration.catalogue.mvpds.last)
        #expect(preview.displayName == "Free preview" && preview.trial?.lifetime == .seconds(600))
        #expect(configuration.calls.api.throttle == nil && configuration.calls.api.degradationCalls == nil)
        let users = try await CommandRun.run("user", "list", "--json", "--config", folder.file("one/latchkeyd.json5"))
        #expect(
            users.output
                == #"[{"lineUp":["Demo One","Demo Two"],"metadata":{"householdID":"demo-household","zip":["12345"]},"#
                + #""name":"demo","provider":"DemoTV"}]"# + "\n")
        let box = try folder.read("one/latchkey.json5")
        #expect(box.contains(#"server: "http://localhost:8080","#))
        #expect(box.contains(#"activationURL: "http://localhost:8080/activate","#))
    }

    @Test(arguments: ["tv.example", "ftp://tv.example", "https://tv.example/path", "https://user@tv.example"])
    func `refuses a public URL that no phone could open`(url: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun.run("init", "--folder", folder.file("server"), "--public-url", url).expect(
            .usage)
        #expect(run.talk.hasPrefix("latchkeyd: The public URL must be an http or https address in ASCII"))
        #expect(PrivateFiles.status(folder.file("server")) == nil)
    }

    @Test func `takes the port to listen on from the public URL where that is plain http`() async throws {
        let setUp = try await TestSetUp.newDemo()
        let configuration = try configuration(try setUp.folder.read("server/latchkeyd.json5"))
        #expect(configuration.server.http.addresses == [.tcp(host: "127.0.0.1", port: 18443)])
    }

    @Test func `--lan listens everywhere, and leads people to an address that another device can reach`() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun.run("init", "--lan", "--folder", folder.file("server"))
        guard run.code == .success else {
            // On a machine without a network there is nothing to lead to.
            #expect(run.talk.hasPrefix("latchkeyd: This machine has no address in a network.\n"))
            return
        }
        let configuration = try configuration(try folder.read("server/latchkeyd.json5"))
        #expect(configuration.server.http.addresses == [.tcp(host: "", port: 8080)])
        let host = configuration.server.publicURL.dropFirst("http://".count).dropLast(":8080".count)
        #expect(try #require(IPAddress(host)).isLoopback == false)
    }
}
