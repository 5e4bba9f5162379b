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
}
