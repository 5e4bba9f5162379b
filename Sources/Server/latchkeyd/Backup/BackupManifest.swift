import Cryptography

struct BackupManifest: Codable, Hashable {
    struct Entry: Codable, Hashable {
        /// Its path in the backup, and in the folder it is restored to.
        let name: String
        let size: Int
        /// The SHA-256 of its content, in lower-case hex.
        let digest: String
        /// The path that the configuration names, if the file cannot be put back to by its name.
        let place: String?
    }

    static let format = 1
    static let name = "manifest.json"
    /// The name of the file with its digest, as `sha256sum` writes and checks it.
    static let digestName = "manifest.sha256"
    /// The longest manifest that is written and read, in bytes: tens of thousands of files.
    static let maximumSize = 16 << 20

    let format: Int
    let version: String
    /// When the store was copied (RFC 3339).
    let made: String
    /// The files in the clear, in their order.
    let entries: [Entry]
    /// The names of configuration and store among them.
    let configuration: String
    let store: String
    /// The folder that the keys come back to: a path like those of ``entries``.
    let keyFolder: String
    /// The configuration's folder of keys, if it is another one.
    let keyPlace: String?
    /// The configuration's places of sealed files that cannot be put back by their names.
    let secretPlaces: [String: String]?
    /// Whether sealed keys follow. Without them they were left out.
    let hasKeys: Bool

    /// The content of the file with the digest of a manifest.
    static func digestLine(of text: [UInt8]) -> [UInt8] {
        Array("\(Hex.encode(Digest.sha256(text)))  \(self.name)\n".utf8)
    }
}

/// The place in a backup of a file that a configuration names.
struct BackupPlace: Hashable {
    let name: String
    /// The configured path, when the file cannot go back there by its name: it is absolute or leads out of the folder.
    let elsewhere: String?
    /// The path that it has now.
    let path: String

    private static let folder = "elsewhere"

    init(ofStore configuration: Configuration) {
        self.init(configuration.store.file, number: 1, at: configuration.storeFile)
    }

    /// - Parameter number: tells files of one name and of different folders apart.
    init(_ configured: String, number: Int, at path: String) {
        self.path = path
        if Self.isSafe(configured) {
            self.name = configured
            self.elsewhere = nil
        } else {
            let last = configured.split(separator: "/").last.map(String.init) ?? "file"
            let candidate = "\(Self.folder)/\(number)-\(last)"
            self.name = Self.isSafe(candidate) ? candidate : "\(Self.folder)/\(number)"
            self.elsewhere = configured
        }
    }

    /// Whether a path stays in the folder that it begins in.
    /// - Parameter limit: bytes of it; a file has a longer one than the folder that the configuration names.
    static func isSafe(_ path: String, limit: Int = 100) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return (1...limit).contains(path.utf8.count)
            && path.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 >= 0x80 }
            && parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
    }
}
