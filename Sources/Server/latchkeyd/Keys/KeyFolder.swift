package import Clientless
import CommandLineTool
package import Cryptography
package import Entitlement
import FoundationEssentials
import POSIX

/// The folder of key files: the master secret, the sealing keys, and for each use the signing keys of one rotation
/// after the other. The newest signs; the older ones still verify what they signed, until their files are taken away.
///
/// The files are the server's own, mode 0600 in a folder of 0700. If the server may only read them, they belong to root
/// and to the server's group, mode 0640 in a folder of 0750.
///
/// The purpose of each file, and the consequence when it may have leaked:
///
/// | File | Replaced by | What follows |
/// |---|---|---|
/// | `token-signing-N.pem`, `access-token-N.pem` | `keys signing rotate` | The old key is accepted until all it signed is over, or until its file is removed. |
/// | `software-statement-N.pem` | `keys signing rotate` | Statements have no end: those of the old key count until its file is removed. |
/// | `sealing-N.key` | `keys rotate-seal` | Everything is sealed anew; then the old file can be removed. |
/// | `master-secret` | nothing | The store finds devices, viewers, clients and browsers by hashes under it, and the raw values are not kept: another secret is a new beginning, in which every box signs in again. A store that was served from takes no other. |
///
/// A leaked master secret opens nothing once the sealing keys were rotated, and none of the tokens whose hashes are
/// kept can be found with it, being 256 random bits each. A thief of the store can use it to test guesses of device IDs
/// and viewers' names against their hashes, and a forger to make the anti-forgery tokens of browsers whose cookie he
/// has.
package struct KeyFolder: Sendable {
    /// The master secret as Base64, one line.
    package static let masterSecretFile = "master-secret"
    /// The most keys of one use; each costs a check when a token is foreign.
    package static let maximumKeys = VerificationKey.maximumBundleCount

    /// The heading of a key's file, with the time it was made; PEM readers pass over it (RFC 7468, section 2).
    static let madeHeading = "latchkeyd-made: "

    package let path: String

    package init(_ path: String) { self.path = path }

    /// Everything in the folder, newest keys first. Every signing use has at least one key.
    package struct Contents: Sendable {
        package let serverKeys: ServerKeys
        package let tokenSigning: [DatedKey<any SigningKey>]
        package let softwareStatement: [DatedKey<RSAPrivateKey>]
        package let accessToken: [DatedKey<ECPrivateKey>]
        package let sealing: [DatedKey<SealingKeys.Key>]
        /// The marks of all signing keys, as ``KeyFolder/marks(of:)`` has them.
        let marks: [String: Timestamp]
        let fingerprint: [String: [Int64]]
    }

    package struct DatedKey<Key: Sendable>: Sendable {
        package let key: Key
        package let made: Timestamp
    }

    /// Makes the folder and the first key of each use. Takes some tenths of a second.
    package func create(now: Timestamp = SystemClock.now()) throws(OperatorError) {
        try PrivateFiles.makeFolder(self.path)
        let secret = SecureRandom.secret(ServerKeys.masterSecretSize)
        try self.create(
            self.file(Self.masterSecretFile), secret.withBytes { Secret(Base64.encode($0) + "\n") }, made: nil)
        try self.createSealingKey(1, SecureRandom.secret(AEAD.keySize), made: now)
        for use in KeyUse.allCases { try self.createKey(for: use, number: 1, made: now) }
    }

    /// Adds a key. A running server publishes it within seconds, and signs with it when its lead is over.
    /// - Returns: the path of its file.
    package func rotate(_ use: KeyUse, now: Timestamp = SystemClock.now()) throws(OperatorError) -> String {
        let numbers = try self.numbers(of: use)
        guard numbers.count < Self.maximumKeys else {
            throw OperatorError(
                "There are \(numbers.count) keys for \(use.rawValue) already.",
                advice:
                    "Move the oldest, \(self.file(use.file.text(numbers[numbers.count - 1]))), out of the folder first; "
                    + "what it signed is then no longer accepted.", exitCode: .keysUnusable)
        }
        return try self.createKey(for: use, number: (numbers.first ?? 0) + 1, made: now)
    }

    /// The newest first.
    package func numbers(of use: KeyUse) throws(OperatorError) -> [Int] {
        try self.names().compactMap(use.file.number(in:)).sorted(by: >)
    }

    func names() throws(OperatorError) -> [String] {
        try PrivateFiles.saying("The key folder \(self.path) cannot be read", exitCode: .keysUnusable) {
            () throws(SystemError) in try Folder.names(in: self.path)
        }
    }

    package func file(_ name: String) -> String { "\(self.path)/\(name)" }

    @discardableResult
    private func createKey(for use: KeyUse, number: Int, made: Timestamp) throws(OperatorError) -> String {
        let file = self.file(use.file.text(number))
        let pem: Secret
        do {
            switch use {
            case .tokenSigning, .softwareStatement: pem = try RSAPrivateKey.generate().pem()
            case .accessToken: pem = try ECPrivateKey.generate().pem()
            }
        } catch {
            throw OperatorError("A key for \(use.rawValue) cannot be made: \(error).", exitCode: .internalError)
        }
        try self.create(file, pem, made: made)
        return file
    }

    /// Makes a file that says when it was made, with the owner and permissions that the folder asks for.
    func create(_ path: String, _ secret: Secret, made: Timestamp?) throws(OperatorError) {
        let heading = made.map { "\(Self.madeHeading)\($0.timeText)\n" } ?? ""
        try PrivateFiles.create(path, secret.withBytes { Secret(Array(heading.utf8) + $0) })
        guard let folder = PrivateFiles.status(self.path), folder.isReadByGroupOfRoot else { return }
        do {
            try FileManager.default.setAttributes(
                [.groupOwnerAccountID: folder.group, .posixPermissions: 0o640], ofItemAtPath: path)
        } catch {
            throw OperatorError(
                "The file \(path) cannot be given to the group of the key folder.",
                advice: "Make it readable for the server's group: chgrp and chmod 0640.", exitCode: .stateProblem)
        }
    }
}

extension Configuration {
    var keyFolder: KeyFolder { KeyFolder(self.path(self.keys.folder)) }
}
