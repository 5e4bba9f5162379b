import CommandLineTool
import FoundationEssentials
import TestSupport
import Testing
import latchkeyd

@Suite("latchkeyd check-config")
struct CheckConfigTests {
    @Test("lists the faults on standard output, with the file, and ends with 78")
    func faulty() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("{\n server: { publicURL: 'x' },\n log: 3 }", to: "c.json5")
        let run = try await CommandRun.run("check-config", file)
        #expect(run.code == .configuration)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.hasPrefix("\(file): line ") })
        #expect(run.talk == "2 faults.\n")
    }

    @Test("looks at key files too: one that others may read is a fault")
    func openKey() async throws {
        let setUp = try await TestSetUp.demo()
        let key = setUp.file("keys/token-signing-1.pem")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        try FileManager.default.removeItem(atPath: setUp.file("keys/access-token-1.pem"))
        let run = try await CommandRun.run("check-config", setUp.configurationFile)
        #expect(run.code == .configuration)
        #expect(
            run.output == """
                \(setUp.configurationFile): keys.folder: The key folder \(setUp.file("keys")) has no access-token-1.pem.
                \(setUp.configurationFile): keys.folder: The key file \(key) has mode 0644, open to others; it must be 0600 \
                (chmod 0600).

                """)
    }

    @Test("says where it looked when there is no configuration")
    func missing() async throws {
        let run = try await CommandRun.run("check-config", "/nonexistent/latchkeyd.json5")
        #expect(run.code == .configuration)
        #expect(
            run.output == "/nonexistent/latchkeyd.json5: The file /nonexistent/latchkeyd.json5 cannot be read: "
                + "there is no such file or folder.\n")
    }

    @Test("warns of what is allowed and should not surprise, each requestor by name, and finds no fault in it")
    func warnings() throws {
        let text = """
            {
                server: { publicURL: "http://tv.example" }, calls: { allowAnyRedirect: true },
                providers: [{ id: "CableNova", name: "Cable Nova" }],
                requestors: [
                    { id: "OPEN", name: "Open", strictness: "compatible", confirmsForeignLogins: false,
                      integrations: [{ provider: "CableNova" }] },
                    { id: "SAFE", name: "Safe", strictness: "compatible", hidesDeviceID: true,
                      integrations: [{ provider: "CableNova" }] },
                    { id: "STRICT", name: "Strict", integrations: [{ provider: "CableNova", enabled: false }] },
                ],
            }
            """
        let sentences = ConfigurationWarning.all(in: try configuration(text)).map(\.sentence)
        #expect(
            sentences == [
                "the public URL is not https, so passwords can be read on the way",
                "logins of programmers' pages may return to any address",
                "a compatible requestor shows device IDs to pages; hidesDeviceID keeps them from guessers (requestor OPEN)",
                "a compatible requestor skips the confirmation of the box; without confirmsForeignLogins false it would not "
                    + "(requestor OPEN)",
                "a requestor has no provider that is enabled, so its viewers cannot sign in (requestor STRICT)",
            ])
        #expect(ConfigurationWarning.all(in: try configuration(smallConfiguration)).isEmpty)
        let empty = try configuration(#"{ server: { publicURL: "https://tv.example" } }"#)
        #expect(
            ConfigurationWarning.all(in: empty).map(\.sentence) == ["no requestor is configured, so no box can pair"])
    }
}
