import CommandLineTool
import Cryptography
import Entitlement
import FoundationEssentials
import TestSupport
import Testing
import latchkeyd

@Suite("A folder of keys")
struct KeyFolderTests {
    private func made() throws -> (TemporaryFolder, KeyFolder) {
        let folder = try TemporaryFolder()
        let keys = KeyFolder(folder.file("keys"))
        try keys.create()
        return (folder, keys)
    }

    @Test("gives the same derived keys each time it is loaded")
    func stable() throws {
        let (folder, keys) = try self.made()
        let (one, other) = (try keys.load(), try keys.load())
        #expect(one.serverKeys.devices.hash(of: "x") == other.serverKeys.devices.hash(of: "x"))
        let (otherFolder, others) = try self.made()
        #expect(try others.load().serverKeys.devices.hash(of: "x") != one.serverKeys.devices.hash(of: "x"))
        _ = (folder, otherFolder)
    }

    @Test("lets the newest key sign, and the older ones verify")
    func rotation() throws {
        let (folder, keys) = try self.made()
        let old = try keys.load().tokenSigning[0]
        #expect(try keys.rotate(.tokenSigning) == folder.file("keys/token-signing-2.pem"))
        let contents = try keys.load()
        #expect(contents.tokenSigning.count == 2)
        let message = Array("message".utf8)
        let (bySecond, byFirst) = (
            try contents.tokenSigning[0].signature(for: message), try old.signature(for: message)
        )
        let trusted = try keys.tokenVerificationKeys()
        #expect(trusted[0].isValidSignature(bySecond, for: message))
        #expect(trusted[0].isValidSignature(byFirst, for: message) == false)
        #expect(trusted[1].isValidSignature(byFirst, for: message))
        #expect(contents.softwareStatement.count == 1 && contents.accessToken.count == 1)
    }

    @Test("counts, not spells: key 10 is newer than key 9, and other files are no keys")
    func numbers() throws {
        let (folder, keys) = try self.made()
        let pem = try folder.read("keys/access-token-1.pem")
        for name in ["access-token-9.pem", "access-token-10.pem", "access-token-010.pem", "access-token-x.pem"] {
            try PrivateFiles.create(folder.file("keys/\(name)"), Data(pem.utf8))
        }
        #expect(try keys.numbers(of: .accessToken) == [10, 9, 1])
        #expect(try keys.rotate(.accessToken).hasSuffix("/access-token-11.pem"))
    }

    @Test("that anybody else may read, or a file of which may be, is refused with the file and its mode")
    func openToOthers() throws {
        let (folder, keys) = try self.made()
        let secret = folder.file("keys/master-secret")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: secret)
        let error = #expect(throws: OperatorError.self) { try keys.load() }
        #expect(error?.exitCode == .keysUnusable)
        #expect(error?.sentence.contains("\(secret) has mode 0640, open to others") == true)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        _ = try keys.load()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: keys.path)
        #expect(
            keys.faults() == [
                "The key folder \(keys.path) has mode 0755, open to others; it must be 0700 (chmod 0700)."
            ])
    }

    @Test("with a key that is damaged, or of another kind, is refused with the file's name")
    func unusable() throws {
        let (folder, keys) = try self.made()
        let file = folder.file("keys/access-token-1.pem")
        try Data("-----BEGIN PRIVATE KEY-----\n".utf8).write(to: URL(filePath: file))
        #expect(#expect(throws: OperatorError.self) { try keys.load() }?.sentence.contains(file) == true)
        try Data(try folder.read("keys/token-signing-1.pem").utf8).write(to: URL(filePath: file))
        #expect(
            #expect(throws: OperatorError.self) { try keys.load() }?.sentence
                == "The key file \(file) cannot be used: not an EC key on P-256.")
        try Data("c2hvcnQ=".utf8).write(to: URL(filePath: folder.file("keys/master-secret")))
        #expect(#expect(throws: OperatorError.self) { try keys.serverKeys() }?.exitCode == .keysUnusable)
    }

    @Test("may hold an EC key for media tokens instead")
    func ellipticTokenKey() throws {
        let (folder, keys) = try self.made()
        let pem = try folder.read("keys/access-token-1.pem")
        try PrivateFiles.create(folder.file("keys/token-signing-2.pem"), Data(pem.utf8))
        let contents = try keys.load()
        #expect(contents.tokenSigning[0] is ECPrivateKey)
        #expect(contents.tokenSigning[1] is RSAPrivateKey)
    }
}
