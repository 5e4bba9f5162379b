import Cryptography

/// Files with secrets, sealed with a passphrase: `heading ‖ cost (1 byte) ‖ salt (16 bytes) ‖ box`, if the box is
/// also bound to the manifest of the backup. A reader without the passphrase can neither read the keys nor put
/// another store or configuration beside them.
enum SealedFiles {
    static let name = "keys.sealed"
    /// The longest that is written and read, in bytes.
    static let maximumSize = 64 << 20
    private static let heading = Array("latchkeyd-keys-1\n".utf8)

    /// - Parameter files: the content by the path below the restored folder.
    static func seal(
        _ files: [String: Secret], _ passphrase: Secret, manifest: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        let cost = PassphraseKey.usualCost
        let salt = SecureRandom.bytes(PassphraseKey.saltSize)
        let head = self.heading + [cost] + salt
        let key = try PassphraseKey(passphrase, salt: salt, cost: cost)
        // Each file as a line: its path, a zero byte, its content in Base64.
        let lines = files.sorted { $0.key < $1.key }.map { path, content -> [UInt8] in
            let text = content.withBytes { Base64.encode($0) }
            return Array(path.utf8) + [0] + Array(text.utf8) + [UInt8(ascii: "\n")]
        }
        return head + (try key.cipher.seal(Secret(lines.joined()), authenticating: head + manifest))
    }

    /// - Returns: `nil` when the passphrase is another, or the bytes or the manifest were changed.
    static func open(_ bytes: [UInt8], _ passphrase: Secret, manifest: [UInt8]) -> [String: Secret]? {
        let size = self.heading.count + 1 + PassphraseKey.saltSize
        guard bytes.count > size, bytes.starts(with: self.heading),
            let key = try? PassphraseKey(
                passphrase, salt: Array(bytes[(self.heading.count + 1)..<size]), cost: bytes[self.heading.count]),
            let text = try? key.cipher.open(bytes.dropFirst(size), authenticating: Array(bytes.prefix(size)) + manifest)
        else { return nil }
        return text.withBytes { bytes in
            var files: [String: Secret] = [:]
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                let parts = line.split(separator: 0, omittingEmptySubsequences: false)
                guard parts.count == 2, let path = String(validating: parts[0], as: UTF8.self),
                    BackupPlace.isSafe(path, limit: 200),
                    let content = Base64.decode(String(decoding: parts[1], as: UTF8.self))
                else { return nil }
                files[path] = Secret(content)
            }
            return files
        }
    }
}
