package import Clientless
import CommandLineTool
package import Cryptography
package import Entitlement
import POSIX

/// The folder of key files: the master secret, and for each use the keys of one rotation after the other.
/// The newest signs; the older ones still verify what they signed, until their files are taken away.
package struct KeyFolder: Sendable {
    /// The master secret as Base64, one line.
    package static let masterSecretFile = "master-secret"
    /// The most keys of one use; each costs a check when a token is foreign.
    package static let maximumKeys = VerificationKey.maximumBundleCount

    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// Everything in the folder, newest keys first. Every use has at least one key.
    package struct Contents: Sendable {
        package let serverKeys: ServerKeys
        package let tokenSigning: [any SigningKey]
        package let softwareStatement: [RSAPrivateKey]
        package let accessToken: [ECPrivateKey]
        /// When the keys of each use were made, in their order.
        package let made: [KeyUse: [Timestamp]]
        /// What the folder looked like before they were read.
        let fingerprint: [String]
    }

    /// Makes the folder and the first key of each use. Takes some tenths of a second.
    package func create() throws(OperatorError) {
        try PrivateFiles.makeFolder(self.path)
        let secret = SecureRandom.secret(ServerKeys.masterSecretSize)
        let line = secret.withBytes { Secret(Base64.encode($0) + "\n") }
        try PrivateFiles.create(self.file(Self.masterSecretFile), line)
        for use in KeyUse.allCases { try self.createKey(for: use, number: 1) }
    }

    /// Adds a key. A running server publishes it within seconds, and signs with it when its lead is over.
    /// - Returns: the path of its file.
    package func rotate(_ use: KeyUse) throws(OperatorError) -> String {
        let numbers = try self.numbers(of: use)
        guard numbers.count < Self.maximumKeys else {
            throw OperatorError(
                "There are \(numbers.count) keys for \(use.rawValue) already.",
                advice:
                    "Move the oldest, \(self.file(use.fileName(numbers[numbers.count - 1]))), out of the folder first; "
                    + "what it signed is then no longer accepted.", exitCode: .keysUnusable)
        }
        return try self.createKey(for: use, number: (numbers.first ?? 0) + 1)
    }

    /// The numbers of the keys for a use, newest first.
    package func numbers(of use: KeyUse) throws(OperatorError) -> [Int] {
        do throws(SystemError) {
            return try Folder.names(in: self.path).compactMap(use.number(inFileName:)).sorted(by: >)
        } catch {
            throw OperatorError("The key folder \(self.path) cannot be read: \(error).", exitCode: .keysUnusable)
        }
    }

    package func file(_ name: String) -> String { "\(self.path)/\(name)" }

    @discardableResult
    private func createKey(for use: KeyUse, number: Int) throws(OperatorError) -> String {
        let file = self.file(use.fileName(number))
        let pem: Secret
        do {
            switch use {
            case .tokenSigning, .softwareStatement: pem = try RSAPrivateKey.generate().pem()
            case .accessToken: pem = try ECPrivateKey.generate().pem()
            }
        } catch {
            throw OperatorError("A key for \(use.rawValue) cannot be made: \(error).", exitCode: .internalError)
        }
        try PrivateFiles.create(file, pem)
        return file
    }
}
