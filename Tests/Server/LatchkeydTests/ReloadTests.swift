import CommandLineTool
import FoundationEssentials
import HTTPClient
import TestSupport
import Testing

@Suite("A running server that is sent SIGHUP", .demo, .timeLimit(.minutes(5)))
struct ReloadTests {
    @Test func `takes a new provider and requestor into force, and lets a held poll wait on`() async throws {
        let server = try await RunningServer.start(setUp)
        let caller = try #require(
            try SigningCaller(json: try setUp.folder.read("server/demo-key-pair.json"), requestor: "DEMO-CLASSIC"))
        let held = try await server.holdPoll(
            for: caller.send(.post, server, path: "/reggie/v1/DEMO-CLASSIC/regcode.json", query: "deviceId=box"))

        try setUp.replace(
            "requestors: [",
            with: """
                requestors: [
                    { id: "NEW", name: "New", strictness: "compatible", integrations: [{ provider: "DemoTV" }] },
                """)
        let said = await server.reload(until: "in force")
        #expect(said.contains { $0.contains("the configuration was read again and is in force") })
        let issued = try await setUp.run("keys", "issue", "--requestor", "NEW", "--json").expect(.success)
        let new = try #require(try SigningCaller(json: issued.output, requestor: "NEW"))
        try await eventually {
            try await new.send(.post, server, path: "/reggie/v1/NEW/regcode.json", query: "deviceId=box").status == 201
        }
        #expect(try await server.heldRequests() == 1)
        try setUp.replace(#"{ id: "NEW","#, with: #"{ id: "NEWER","#)
        #expect(await server.reload(until: "they are refused").last?.contains("1 key pair") == true)
        #expect(await server.stop() == .exited(0))
        #expect(try await held.value.status == 403)
    }

    @Test("gives boxes a new list of providers: with the new ones, and without those that are switched off")
    func providerList() async throws {
        let server = try await RunningServer.start(setUp)
        let client = HTTPClient()
        func list(of requestor: String) async throws -> HTTPClient.Response {
            try await client.send(.init(.get, "\(server.url)/api/v1/config/\(requestor)"))
        }
        #expect(try await list(of: "NEW").status == 400)
        let old = try await list(of: "DEMO").text
        #expect(old.contains("<id>DemoTV</id>") && old.contains("<id>FreePreview</id>"))

        try setUp.replace("providers: [", with: #"providers: [{ id: "NewTV", name: "New TV", kind: "local" },"#)
        try setUp.replace(
            "requestors: [",
            with: """
                requestors: [
                    { id: "NEW", name: "New", strictness: "compatible", integrations: [{ provider: "NewTV" }] },
                """)
        try setUp.replace(#"provider: "FreePreview","#, with: #"provider: "FreePreview", enabled: false,"#)
        #expect(await server.reload(until: "in force").last?.contains("read again") == true)
        let new = try await list(of: "NEW")
        #expect(new.status == 200 && new.text.contains("<id>NewTV</id>"))
        let changed = try await list(of: "DEMO").text
        #expect(changed.contains("<id>DemoTV</id>") && !changed.contains("FreePreview"))
        #expect(await server.stop() == .exited(0))
    }

    @Test func `takes over the logos of providers after the start, and anew with every configuration`() async throws {
        let file = URL(filePath: setUp.file("demo.logo"))
        try Data(SamplePicture.png(width: 40)).write(to: file)
        try setUp.replace(#"id: "DemoTV","#, with: #"id: "DemoTV", logo: "demo.logo","#)
        let server = try await RunningServer.start(setUp)
        let client = HTTPClient()
        /// Asks until the list has a logo of this server's that ends so; in between the throttle may answer.
        func logo(_ ending: String) async throws -> String {
            var path = ""
            try await eventually {
                let list = try await client.send(.init(.get, "\(server.url)/api/v1/config/DEMO")).text
                let address = list.split(separator: "<").first { $0.contains("/logos/") && $0.hasSuffix(ending) }
                path = address?.firstMatch(of: /\/logos\/.*/).map { String($0.0) } ?? ""
                return !path.isEmpty
            }
            return path
        }
        let path = try await logo(".png")
        let answer = try await client.send(.init(.get, server.url + path))
        #expect(answer.headers["Content-Type"] == "image/png")
        #expect(answer.body == SamplePicture.png(width: 40))
        try Data(SamplePicture.svg()).write(to: file)
        #expect(await server.reload(until: "in force").last?.contains("read again") == true)
        #expect(try await client.send(.init(.get, server.url + logo(".svg"))).body == SamplePicture.svg())
        try Data("GIF89a".utf8).write(to: file)
        let said = await server.reload(until: "a logo that no page can show")
        #expect(said.last?.contains("it is neither PNG, WebP nor SVG") == true, "\(said)")
        _ = try await logo(".svg")
        #expect(await server.stop() == .exited(0))
    }

    @Test("changes nothing for a configuration with a fault, and says in the log what is wrong and where")
    func fault() async throws {
        let server = try await RunningServer.start(setUp)
        let good = try setUp.folder.read("server/latchkeyd.json5")
        try setUp.folder.write("{\n server: { publicURL: 1 },\n logs: {} }", to: "server/latchkeyd.json5")
        let said = await server.reload(until: "logs is not a setting")
        #expect(said.contains { $0.contains("the old one stays in force") && $0.contains("line 2") }, "\(said)")
        #expect(said.contains { $0.contains("line 3") })
        let client = HTTPClient()
        #expect(try await client.send(.init(.get, server.url + "/api/v1/config/DEMO")).status == 200)
        try FileManager.default.removeItem(atPath: setUp.configurationFile)
        #expect(await server.reload(until: "stays in force").last?.contains("cannot be read") == true)
        // And the next good one is taken.
        try setUp.folder.write(good, to: "server/latchkeyd.json5")
        #expect(await server.reload(until: "in force").last?.contains("read again") == true)
        #expect(await server.stop() == .exited(0))
    }

    @Test func `names what takes effect at the next start, and keeps what it cannot change`() async throws {
        try setUp.replace("newBox: {", with: "newBox: { address: 'https://a.example', token: 'box.token',")
        try setUp.folder.writeSecret("one\n", to: "server/box.token")
        let (server, tls) = (try await RunningServer.start(setUp), try await TLSServer())
        try setUp.folder.writeSecret("two\n", to: "server/box.token")
        try setUp.replace(#"listen: ["127.0.0.1:18443"]"#, with: #"listen: ["127.0.0.1:18444"]"#)
        try setUp.replace(
            #"publicURL: "http://127.0.0.1:18443","#,
            with: "publicURL: 'https://127.0.0.1', certificate: '\(tls.certificate)', certificateKey: '\(tls.key)',")
        let said = await server.reload(until: "for notices of new boxes")
        for setting in ["server.listen", "server.certificate", "boxes.newBox.token", "for notices of new boxes"] {
            #expect(said.contains { $0.contains("takes effect at the next start") && $0.contains(setting) }, "\(said)")
        }
        // It is not served: neither its change nor its end is news.
        try setUp.replace("calls: {", with: "call: {")
        let all = said + (await server.reload(until: "stays in force"))
        #expect(!all.contains { $0.contains("the certificate ") }, "\(all)")
        let client = HTTPClient()
        let metrics = try await client.send(.init(.get, server.url + "/metrics")).text
        #expect(metrics.contains("\nlatchkey_certificate_end_seconds 0\n"))
        #expect(try await client.send(.init(.get, server.url + "/healthz")).status == 200)
        #expect(await server.stop() == .exited(0))
    }

    @Test func `names the new public URL to boxes from then on, and goes on with it after a fault`() async throws {
        let server = try await RunningServer.start(setUp)
        let caller = try #require(
            try SigningCaller(json: try setUp.folder.read("server/demo-key-pair.json"), requestor: "DEMO-CLASSIC"))
        func registrationURL() async throws -> String {
            struct Record: Decodable {
                let info: Info
                struct Info: Decodable { let registrationURL: String }
            }
            let created = try await caller.send(
                .post, server, path: "/reggie/v1/DEMO-CLASSIC/regcode.json", query: "deviceId=box")
            return try JSONDecoder().decode(Record.self, from: Data(created.body)).info.registrationURL
        }
        #expect(try await registrationURL().hasPrefix("http://127.0.0.1:18443"))
        try setUp.replace("http://127.0.0.1:18443", with: "http://127.0.0.1:18555")
        let said = await server.reload(until: "in force")
        #expect(said.contains { $0.contains("read again") } && !said.contains { $0.contains("next start") }, "\(said)")
        #expect(try await registrationURL().hasPrefix("http://127.0.0.1:18555"))
        try setUp.replace("http://127.0.0.1:18555", with: "http://127.0.0.1:18666")
        try setUp.replace("calls: {", with: "call: {")
        let log = await server.reload(until: "stays in force")
        #expect(!log.contains { $0.contains("a port where this server does not listen") }, "\(log)")
        #expect(try await registrationURL().hasPrefix("http://127.0.0.1:18555"))
        #expect(await server.stop() == .exited(0))
    }
}
