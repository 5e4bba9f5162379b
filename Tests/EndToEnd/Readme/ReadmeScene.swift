import FoundationEssentials
import Glibc
import RealPrograms
import TestSupport

/// A server and a box as the README sets them up, in a folder in place of the system's. Programs that a block names are
/// stand-ins here: `sudo` runs what follows it, and `latchkeyd` and `latchkey` are the real ones with the place of their
/// files. That they find those by themselves shows in `deploy/check/installation`.
struct ReadmeScene {
    let url: String
    private let folder: TemporaryFolder
    private static let account = Viewer(account: "anna", password: "correct horse battery")

    static func with(_ body: (ReadmeScene) async throws -> Void) async throws {
        let scene = ReadmeScene(url: "http://127.0.0.1:\(try FreePort.find())", folder: try TemporaryFolder())
        try scene.makePrograms()
        try scene.folder.write(self.account.password + "\n", to: "password")
        try await scene.succeeds(
            "latchkeyd init --folder \(scene.folder.file("server")) --public-url \(scene.url) --provider CableNova "
                + "--requestor NORTHSPORT && latchkeyd user add anna --channel 'North Sport' "
                + "--password-file \(scene.folder.file("password"))")
        let server = try ChildProcess(
            ProgramFolder.own.server,
            ["serve", "--config", scene.folder.file("server/latchkeyd.json5"), "--print-address"])
        for await line in server.talkLines where line.hasPrefix("LISTENING ") { break }
        try await body(scene)
        server.send(SIGTERM)
        _ = await server.waitForEnd()
    }

    private func makePrograms() throws {
        let configuration = self.folder.file("server/latchkeyd.json5")
        let programs = [
            "sudo": "exec \"$@\"",
            "latchkeyd": "LATCHKEYD_CONFIG='\(configuration)' exec '\(ProgramFolder.own.server)' \"$@\"",
            "latchkey":
                "exec '\(ProgramFolder.own.box)' \"$@\" --config '\(self.folder.file("latchkey.json5"))' "
                + "--state '\(self.folder.file("state.json"))'",
        ]
        for (name, text) in programs {
            let file = try self.folder.write("#!/bin/sh\n\(text)\n", to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        }
    }

    /// A script, which ends at the first command that fails.
    func shell(_ file: String) throws -> ChildProcess { try self.bash(["-e", file]) }

    func shell(command: String) throws -> ChildProcess { try self.bash(["-c", command]) }

    func box(_ words: String...) throws -> ChildProcess {
        try self.bash(["-c", "exec \"$0\" \"$@\"", "latchkey"] + words)
    }

    private func bash(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            "/bin/bash", arguments, environment: ["PATH": "\(self.folder.path):/usr/bin:/bin", "LANG": "C.UTF-8"])
    }

    private func succeeds(_ command: String) async throws {
        let (end, output, talk) = try await self.shell(command: command).run()
        guard end == .exited(0) else { throw GaveUp(description: "\(command) ended with \(end): \(output)\(talk)") }
    }

    /// Plays the viewer, who reads the code off the screen.
    func confirm(_ code: String) async throws {
        let phone = Phone()
        let question = try await phone.walkToConfirmation(
            from: "\(self.url)/activate?code=\(code.filter { $0 != "-" })", as: Self.account)
        _ = try await phone.decide(.confirm, on: question)
    }
}
