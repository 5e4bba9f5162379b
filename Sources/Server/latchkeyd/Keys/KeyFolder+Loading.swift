package import Clientless
import CommandLineTool
package import Cryptography
package import Entitlement
import FoundationEssentials
import POSIX

extension KeyFolder {
    /// - Throws: for the first thing that is missing, unsafe or unusable; ``faults()`` lists all of them.
    /// - Parameter now: decides which sealing key seals.
    package func load(now: Timestamp = SystemClock.now()) throws(OperatorError) -> Contents {
        // Looked at first: what changes while the keys are read is then read again.
        let fingerprint = self.fingerprint()
        if let fault = self.faults().first { throw self.error(fault) }
        let sealing = try self.sealingKeys()
        let contents = Contents(
            serverKeys: try self.serverKeys(now: now),
            tokenSigning: try self.keys(of: .tokenSigning, Self.readSigningKey),
            softwareStatement: try self.keys(of: .softwareStatement, RSAPrivateKey.init(pem:)),
            accessToken: try self.keys(of: .accessToken, ECPrivateKey.init(pem:)),
            sealing: sealing, marks: try self.marks(), fingerprint: fingerprint)
        // A key and its time belong together, or another key would sign.
        guard self.fingerprint() == fingerprint
        else { throw self.error("The key folder \(self.path) changed while it was read.") }
        return contents
    }

    /// The mark that tells one state of the folder from another without reading a key: names, files, times, sizes,
    /// permissions, owners and groups. Taken every two seconds.
    package func fingerprint() -> [String: [Int64]] {
        func access(_ path: String) -> [Int64] {
            let facts = try? FileStatus(of: path, followsLinks: true)
            return facts.map { [Int64($0.mode), Int64($0.owner), Int64($0.group)] } ?? []
        }
        let isKey = { (name: String) in
            Self.sealingName.number(in: name) != nil
                || KeyUse.allCases.contains { $0.file.number(in: name) != nil }
        }
        // A folder's own time changes with anything in it, keys or not.
        var marks = ["": access(self.path)]
        for name in (try? self.names()) ?? [] where isKey(name) {
            let path = self.file(name)
            let version = (try? FileVersion(of: path)).map { [$0.file, $0.modified, $0.size] } ?? []
            marks[name] = version + access(path)
        }
        return marks
    }

    /// When a key was made, as its file says. A file that does not say it, such as an operator's own key, counts from
    /// when it was written.
    func made(file name: String) -> Timestamp {
        if let text = try? PrivateFiles.read(self.file(name), limit: 65_536),
            text.starts(with: Self.madeHeading.utf8),
            let line = text.dropFirst(Self.madeHeading.utf8.count).split(separator: UInt8(ascii: "\n")).first,
            let date = try? Date(String(decoding: line, as: UTF8.self), strategy: .iso8601)
        {
            return Timestamp(seconds: Int64(date.timeIntervalSince1970))
        }
        return Timestamp(seconds: (try? FileStatus(of: self.file(name)))?.modified ?? 0)
    }

    /// The faults of the folder and its files, as far as names and permissions tell; sentences that name the file.
    package func faults() -> [String] {
        guard let folder = PrivateFiles.status(self.path) else {
            return ["The key folder \(self.path) is not there, or may not be looked at."]
        }
        guard folder.isFolder else { return ["\(self.path) is not a folder of keys."] }
        let fault = PrivateFiles.openness(
            "The key folder \(self.path)", folder, in: folder, rule: "it must be 0700 (chmod 0700)")
        var faults = [fault].compactMap(\.self)
        guard (try? self.names()) != nil else {
            let fault = "The key folder \(self.path) may not be looked at by this user; root and the server's user may."
            return faults + [fault]
        }
        var names = [Self.masterSecretFile]
        for use in KeyUse.allCases {
            let numbers = (try? self.numbers(of: use)) ?? []
            if numbers.isEmpty {
                faults.append("The key folder \(self.path) has no \(use.file.text(1)).")
            } else if numbers.count > Self.maximumKeys {
                faults.append(
                    "The key folder \(self.path) has \(numbers.count) keys for \(use.rawValue); at most "
                        + "\(Self.maximumKeys) are used. Move the oldest out of it.")
            }
            names += numbers.map(use.file.text)
        }
        let sealing = (try? self.sealingNumbers()) ?? []
        if sealing.isEmpty { faults.append(self.noSealingKey) }
        names += sealing.map(Self.sealingName.text)
        return faults + names.compactMap(self.fault(ofFile:))
    }

    private func fault(ofFile name: String) -> String? {
        let path = self.file(name)
        guard let facts = PrivateFiles.status(path) else {
            return "The key file \(path) is not there, or may not be looked at."
        }
        guard facts.isRegularFile else { return "\(path) is not a plain file." }
        let folder = PrivateFiles.status(self.path)
        let other = facts.owner == 0 && folder?.group != 0 ? ", or 0640 with the folder's group (chgrp)" : ""
        return PrivateFiles.openness(
            "The key file \(path)", facts, in: folder, rule: "it must be 0600 (chmod 0600)\(other)")
    }

    /// The keys derived from the master secret, and the sealing keys.
    /// - Parameter now: decides which sealing key seals.
    package func serverKeys(now: Timestamp = SystemClock.now()) throws(OperatorError) -> ServerKeys {
        let secret = try self.masterSecret()
        let sealing = Self.order(try self.sealingKeys(), at: now)
        guard !sealing.isEmpty else { throw self.error(self.noSealingKey) }
        do throws(CryptographyError) {
            return try ServerKeys(masterSecret: secret, sealing: sealing)
        } catch {
            throw self.masterSecretFault
        }
    }

    func masterSecret() throws(OperatorError) -> Secret {
        let secret = try self.secretText(Self.masterSecretFile)
        guard secret.count == ServerKeys.masterSecretSize else { throw self.masterSecretFault }
        return secret
    }

    private var masterSecretFault: OperatorError {
        self.error(
            "The key file \(self.file(Self.masterSecretFile)) does not hold \(ServerKeys.masterSecretSize) bytes as "
                + "Base64, as it was made.")
    }

    /// The bytes that a file holds as Base64, behind the line that says when it was made; `nil` when it is no Base64.
    func secretText(_ name: String) throws(OperatorError) -> Secret {
        if let fault = self.fault(ofFile: name) { throw self.error(fault) }
        var text = String(decoding: try PrivateFiles.read(self.file(name), limit: 1024), as: UTF8.self)[...]
        if text.hasPrefix(Self.madeHeading), let end = text.firstIndex(of: "\n") { text = text[end...] }
        return Secret(Base64.decode(text.filter { !$0.isWhitespace }) ?? [])
    }

    /// The newest key for a use that only RSA keys have.
    package func newestSoftwareStatementKey() throws(OperatorError) -> RSAPrivateKey {
        guard let number = try self.numbers(of: .softwareStatement).first else {
            throw self.error("The key folder \(self.path) has no \(KeyUse.softwareStatement.file.text(1)).")
        }
        return try self.key(KeyUse.softwareStatement.file.text(number), RSAPrivateKey.init(pem:))
    }

    /// The newest first.
    package func tokenVerificationKeys() throws(OperatorError) -> [VerificationKey] {
        try self.keys(of: .tokenSigning, Self.readSigningKey).map(\.key.verificationKey)
    }

    /// The marks by which a store knows signing keys again, use and digest of the public half, and when each key was made.
    func marks(of uses: [KeyUse] = KeyUse.allCases) throws(OperatorError) -> [String: Timestamp] {
        var marks: [String: Timestamp] = [:]
        for use in uses {
            let keys = try self.keys(of: use) { (secret) throws(CryptographyError) in
                try Self.readSigningKey(secret).verificationKey.pem()
            }
            for (pem, made) in keys.map({ ($0.key, $0.made) }) {
                marks["\(use.rawValue) \(Hex.encode(Digest.sha256(pem.utf8).prefix(16)))"] = made
            }
        }
        return marks
    }

    private func keys<Key>(
        of use: KeyUse, _ read: (Secret) throws(CryptographyError) -> Key
    ) throws(OperatorError) -> [DatedKey<Key>] {
        try self.numbers(of: use).map(use.file.text).map { (file) throws(OperatorError) in
            DatedKey(key: try self.key(file, read), made: self.made(file: file))
        }
    }

    private func key<Key>(
        _ name: String, _ read: (Secret) throws(CryptographyError) -> Key
    ) throws(OperatorError) -> Key {
        if let fault = self.fault(ofFile: name) { throw self.error(fault) }
        let pem = Secret(try PrivateFiles.read(self.file(name), limit: 65_536))
        do {
            return try read(pem)
        } catch {
            throw self.error("The key file \(self.file(name)) cannot be used: \(error.detail).")
        }
    }

    private static func readSigningKey(_ pem: Secret) throws(CryptographyError) -> any SigningKey {
        if let key = try? RSAPrivateKey(pem: pem) { return key }
        return try ECPrivateKey(pem: pem)
    }

    func error(_ sentence: String) -> OperatorError {
        let manager = FileManager.default
        let isShut = manager.fileExists(atPath: self.path) && !manager.isExecutableFile(atPath: self.path)
        // A fault of mode or owner says what to do itself.
        let saysIt = sentence.hasSuffix("(chown).") || sentence.contains("(chmod ")
        let missing = KeyUse.allCases.first { sentence.hasSuffix(" has no \($0.file.text(1)).") }
        return OperatorError(
            sentence,
            advice: isShut
                ? "Run the command as root, such as with sudo, or as the server's user."
                : saysIt
                    ? nil
                    : "Put it back from a backup, which 'latchkeyd restore' unpacks into another folder; a key of another "
                        + "set-up is of no use." + (missing.map { " \($0.lostAdvice)" } ?? ""),
            exitCode: .keysUnusable)
    }
}
