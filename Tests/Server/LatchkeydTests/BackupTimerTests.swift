import FoundationEssentials
import TestSupport
import Testing

@Suite("What the backup timer runs", .demo, .timeLimit(.minutes(5)))
struct BackupTimerTests {
    private static let script = ProjectFolder.file("deploy/package/systemd/backup")

    private func run(_ setUp: TestSetUp, _ arguments: String...) async throws -> (ChildProcess.End, talk: String) {
        let (end, _, talk) = try await ChildProcess(
            "/bin/sh", [Self.script, setUp.folder.file("backups")] + arguments,
            environment: [
                "LATCHKEYD": BuiltProgram.path, "LATCHKEYD_CONFIG": setUp.configurationFile,
                "LATCHKEYD_PASSPHRASE": setUp.folder.file("passphrase"), "PATH": "/usr/bin:/bin",
            ]
        ).run()
        return (end, talk)
    }

    private func archives(_ setUp: TestSetUp) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: setUp.folder.file("backups")).sorted()
    }

    @Test func `makes a backup under the name of its day, and keeps as many as it is told`() async throws {
        let old = (1...4).map { "latchkeyd-2020-01-0\($0)T033000Z" }
        for name in old + ["of-mine.tar"] {
            try setUp.folder.write("old", to: "backups/\(name)/latchkeyd.json5")
        }
        // One with the keys goes only when the new one has them, too.
        try setUp.folder.write("sealed", to: "backups/\(old[0])/keys.sealed")
        let (end, talk) = try await self.run(setUp, "3")
        #expect(end == .exited(0), "\(talk)")
        #expect(talk.contains("so the keys are not in the backup"))
        let left = try self.archives(setUp)
        #expect(left.count == 5 && left.prefix(3) == [old[0]] + old.suffix(2) && left.last == "of-mine.tar")
        let made = "\(setUp.folder.file("backups"))/\(left[3])"
        #expect(try FileManager.default.attributesOfItem(atPath: made)[.posixPermissions] as? Int == 0o700)
    }

    @Test func `seals the keys with the passphrase of a file, and loses no backup when it fails`() async throws {
        try setUp.folder.write("correct horse battery staple\n", to: "passphrase")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: setUp.folder.file("passphrase"))
        let (end, talk) = try await self.run(setUp)
        #expect(end == .exited(0) && !talk.contains("not in the backup"), "\(talk)")
        let before = try self.archives(setUp)
        #expect(before.count == 1)
        try FileManager.default.removeItem(atPath: setUp.configurationFile)
        #expect(try await self.run(setUp, "1").0 != .exited(0))
        #expect(try self.archives(setUp) == before)
        for number in ["none", "0", "00"] { #expect(try await self.run(setUp, number).0 == .exited(64)) }
        #expect(try self.archives(setUp) == before)
    }
}
