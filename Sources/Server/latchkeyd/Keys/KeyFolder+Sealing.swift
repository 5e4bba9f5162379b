package import Clientless
import CommandLineTool
import Cryptography
import Entitlement

// The keys that seal what the store keeps, one file each: `sealing-1.key`, `sealing-2.key` and so on.
extension KeyFolder {
    /// How long a new sealing key waits, so that every server that reads the folder can open what it seals.
    package static let sealingLead: Duration = .seconds(30)
    static let sealingName = KeyFileName(use: "sealing", ending: "key")

    /// The newest first.
    package func sealingNumbers() throws(OperatorError) -> [Int] {
        try self.names().compactMap(Self.sealingName.number(in:)).sorted(by: >)
    }

    var noSealingKey: String { "The key folder \(self.path) has no \(Self.sealingName.text(1))." }

    /// - Returns: the path of the new key's file.
    package func rotateSealing(now: Timestamp) throws(OperatorError) -> String {
        let numbers = try self.sealingNumbers()
        guard let newest = numbers.first else { throw self.error(self.noSealingKey) }
        guard numbers.count < SealingKeys.maximumCount else {
            throw OperatorError(
                "There are \(numbers.count) sealing keys already.",
                advice: "Remove those that 'latchkeyd keys rotate-seal' called free first.", exitCode: .keysUnusable)
        }
        return try self.createSealingKey(newest + 1, SecureRandom.secret(AEAD.keySize), made: now)
    }

    func sealingKeys() throws(OperatorError) -> [DatedKey<SealingKeys.Key>] {
        try self.sealingNumbers().map(Self.sealingName.text).map { (name) throws(OperatorError) in
            let bytes = try self.secretText(name)
            guard let key = try? SealingKeys.Key(bytes) else {
                throw self.error("The key file \(self.file(name)) does not hold 32 bytes as Base64, as it was made.")
            }
            return DatedKey(key: key, made: self.made(file: name))
        }
    }

    /// The keys in the order they are used at `now`: the newest that every server has seen seals.
    static func order(_ keys: [DatedKey<SealingKeys.Key>], at now: Timestamp) -> [SealingKeys.Key] {
        let sealing = keys.firstIndex { $0.made + Self.sealingLead <= now } ?? keys.count - 1
        guard keys.indices.contains(sealing) else { return [] }
        var ordered = keys.map(\.key)
        ordered.insert(ordered.remove(at: sealing), at: 0)
        return ordered
    }

    @discardableResult
    func createSealingKey(_ number: Int, _ key: Secret, made: Timestamp) throws(OperatorError) -> String {
        let file = self.file(Self.sealingName.text(number))
        try self.create(file, key.withBytes { Secret(Base64.encode($0) + "\n") }, made: made)
        return file
    }
}
