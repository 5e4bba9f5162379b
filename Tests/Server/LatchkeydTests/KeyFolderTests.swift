import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import FoundationEssentials
import Glibc
import POSIX
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

    @Test func `gives the same derived keys each time it is loaded`() throws {
        let (folder, keys) = try self.made()
        let (one, other) = (try keys.load(), try keys.load())
        #expect(one.serverKeys.devices.hash(of: "x") == other.serverKeys.devices.hash(of: "x"))
        let (otherFolder, others) = try self.made()
        #expect(try others.load().serverKeys.devices.hash(of: "x") != one.serverKeys.devices.hash(of: "x"))
        _ = (folder, otherFolder)
    }

    @Test func `lets the newest key sign, and the older ones verify`() throws {
        let (folder, keys) = try self.made()
        let old = try keys.load().tokenSigning[0].key
        #expect(try keys.rotate(.tokenSigning) == folder.file("keys/token-signing-2.pem"))
        let contents = try keys.load()
        #expect(contents.tokenSigning.count == 2)
        let message = Array("message".utf8)
        let bySecond = try contents.tokenSigning[0].key.signature(for: message)
        let byFirst = try old.signature(for: message)
        let trusted = try keys.tokenVerificationKeys()
        #expect(trusted[0].isValidSignature(bySecond, for: message))
        #expect(trusted[0].isValidSignature(byFirst, for: message) == false)
        #expect(trusted[1].isValidSignature(byFirst, for: message))
        #expect(contents.softwareStatement.count == 1 && contents.accessToken.count == 1)
    }

    @Test func `counts, not spells: key 10 is newer than key 9, and other files are no keys`() throws {
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
        let said = "The key file \(secret) has mode 0640, open to others; it must be 0600 (chmod 0600)."
        #expect(error?.exitCode == .keysUnusable && error?.description == said)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        _ = try keys.load()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: keys.path)
        #expect(
            keys.faults() == [
                "The key folder \(keys.path) has mode 0755, open to others; it must be 0700 (chmod 0700)."
            ])
    }

    @Test func `with a key that is damaged, or of another kind, is refused with the file's name`() throws {
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

    @Test func `may hold an EC key for media tokens instead`() throws {
        let (folder, keys) = try self.made()
        let pem = try folder.read("keys/access-token-1.pem")
        try PrivateFiles.create(folder.file("keys/token-signing-2.pem"), Data(pem.utf8))
        let contents = try keys.load()
        #expect(contents.tokenSigning[0].key is ECPrivateKey && contents.tokenSigning[1].key is RSAPrivateKey)
    }

    @Test func `says in each file when the key was made, whatever the file's own time says`() throws {
        let folder = try TemporaryFolder()
        let keys = KeyFolder(folder.file("keys"))
        let (first, second) = (Timestamp(seconds: 1_700_000_000), Timestamp(seconds: 1_700_086_400))
        try keys.create(now: first)
        let file = try keys.rotate(.tokenSigning, now: second)
        #expect(try keys.load().tokenSigning.map(\.made) == [second, first])
        // As after a copy from a backup.
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file)
        #expect(try keys.load().tokenSigning.map(\.made) == [second, first])
        // A key of the operator's own says nothing: then the file's time counts.
        let pem = try folder.read("keys/access-token-1.pem").split(separator: "\n").dropFirst().joined(separator: "\n")
        try PrivateFiles.create(folder.file("keys/access-token-2.pem"), Data((pem + "\n").utf8))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
            ofItemAtPath: folder.file("keys/access-token-2.pem"))
        #expect(try keys.load().accessToken.map(\.made) == [Timestamp(seconds: 1_600_000_000), first])
    }

    @Test func `seals with a new sealing key once every server has had time to read it, and opens with all`() throws {
        let start = Timestamp(seconds: 1_700_000_000)
        let folder = try TemporaryFolder()
        let keys = KeyFolder(folder.file("keys"))
        try keys.create(now: start)
        let old = try keys.serverKeys(now: start)
        let box = try old.seal.seal(Secret("x"), authenticating: [])
        #expect(try keys.rotateSealing(now: start) == folder.file("keys/sealing-2.key"))
        let early = try keys.serverKeys(now: start + .seconds(29))
        #expect(early.seal.isCurrent(box))
        let late = try keys.serverKeys(now: start + .seconds(30))
        #expect(!late.seal.isCurrent(box))
        _ = try late.seal.open(box, authenticating: [])
        _ = try early.seal.open(try late.seal.seal(Secret("x"), authenticating: []), authenticating: [])
        try FileManager.default.removeItem(atPath: folder.file("keys/sealing-1.key"))
        #expect(throws: CryptographyError.self) {
            try keys.serverKeys(now: start + .seconds(30)).seal.open(box, authenticating: [])
        }
    }

    @Test("is refused with a file of another user, whatever its mode, and may be wholly the server's for root")
    func owner() throws {
        guard geteuid() == 0 else { return }
        let (folder, keys) = try self.made()
        let manager = FileManager.default
        func give(_ path: String, to user: Int) throws {
            try manager.setAttributes([.ownerAccountID: user], ofItemAtPath: path)
        }
        let secret = keys.file(KeyFolder.masterSecretFile)
        try give(secret, to: 65534)
        let sentence =
            "The key file \(secret) belongs to the user number 65534, who can change it; it must belong to root or to "
            + "the server's user (chown)."
        #expect(keys.faults() == [sentence])
        #expect(throws: OperatorError.self) { try keys.load() }
        #expect(throws: OperatorError.self) { try keys.serverKeys() }
        #expect(PrivateFiles.openness(of: secret)?.contains("belongs to the user number 65534") == true)
        // Root's commands work on a folder that is wholly the server's.
        try give(keys.path, to: 65534)
        _ = try keys.load()
        let facts = try #require(PrivateFiles.status(keys.path))
        #expect(PrivateFiles.openness("It", facts, in: facts, rule: "shut it", user: 65534) == nil)
        #expect(PrivateFiles.openness("It", facts, in: facts, rule: "shut it", user: 1000) != nil)
        _ = folder
    }

    @Test func `that root owns and the server's group may read is used, and new keys are like the old ones`() throws {
        guard geteuid() == 0 else { return }
        let (folder, keys) = try self.made()
        let manager = FileManager.default
        func give(_ mode: Int, _ path: String) throws {
            try manager.setAttributes([.groupOwnerAccountID: 65534, .posixPermissions: mode], ofItemAtPath: path)
        }
        try give(0o750, keys.path)
        for name in try manager.contentsOfDirectory(atPath: keys.path) { try give(0o640, keys.file(name)) }
        _ = try keys.load()
        let file = try keys.rotate(.accessToken)
        let facts = try #require(PrivateFiles.status(file))
        #expect(facts.modeText == "0640" && facts.group == 65534 && facts.owner == 0)
        let (_, fingerprint) = (try keys.load(), keys.fingerprint())
        try manager.setAttributes([.groupOwnerAccountID: 0], ofItemAtPath: file)
        #expect(keys.fingerprint() != fingerprint)
        #expect(keys.faults().first?.hasSuffix(" (chmod 0600), or 0640 with the folder's group (chgrp).") == true)
        try give(0o660, file)
        #expect(throws: OperatorError.self) { try keys.load() }
        _ = folder
    }
}
