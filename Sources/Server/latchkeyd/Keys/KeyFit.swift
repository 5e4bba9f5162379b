import CommandLineTool
import Cryptography
import Entitlement

/// Whether a folder of keys and a store belong together, as far as the sealed key pairs of the store and its mark
/// tell.
struct KeyFit {
    /// How many key pairs the store has, and how many of them open.
    let count: Int
    let opening: Int
    /// Whether the store's hashes were made with the master secret; `nil` when the store does not tell.
    let isMarked: Bool?

    /// The uses of signing keys for which the folder has none that the store was used with.
    let strange: [KeyUse]

    init(of administration: Administration, in folder: KeyFolder) async throws {
        let keyPairs = try await administration.credentials.keyPairs()
        self.count = keyPairs.count
        self.opening = keyPairs.count { pair in
            let purpose = Credentials.purpose(of: pair.publicKey).utf8
            return (try? administration.keys.seal.open(pair.sealedPrivateKey, authenticating: purpose)) != nil
        }
        self.isMarked = try await administration.keyMark.isOwn()
        self.strange = KeyUse.strange(try folder.marks().keys, to: try await administration.keyMark.signingKeys().keys)
    }

    /// The keys are of another set-up: no box could sign in, or no box would stay signed in.
    var isForeign: Bool { self.opensNothing || self.isMarked == false || !self.strange.isEmpty }
    private var opensNothing: Bool { self.count > 0 && self.opening == 0 }

    /// The fault, as a sentence; `nil` when nothing is.
    func fault(folder: String) -> String? {
        if let use = self.strange.first, !self.opensNothing, self.isMarked != false {
            return "The folder \(folder) has no \(use.rawValue) key that this store was used with: with another one "
                + "every box would have to sign in again."
        }
        if self.opensNothing, self.isMarked == true, self.strange.isEmpty {
            return "The folder \(folder) lacks the sealing key: its keys open nothing that the store has sealed."
        }
        if self.isForeign {
            let reason =
                self.opensNothing
                ? "they open nothing that the store has sealed"
                : "the store was used with another \(KeyFolder.masterSecretFile)"
            return "The keys in \(folder) are those of another set-up: \(reason)."
        }
        guard self.opening < self.count else { return nil }
        return "\(self.count - self.opening) of \(self.count) key pairs of the store open with no key in \(folder)."
    }

    var advice: String {
        "Put back the keys that belong to the store, each sealing key among them, or name their folder in keys.folder."
            + (self.opensNothing ? "" : self.strange.first.map { " \($0.lostAdvice)" } ?? "")
    }

    /// - Throws: when the keys are of another set-up.
    @discardableResult
    static func require(of folder: String, for administration: Administration) async throws -> KeyFit {
        let fit = try await KeyFit(of: administration, in: KeyFolder(folder))
        guard fit.isForeign, let fault = fit.fault(folder: folder) else { return fit }
        throw OperatorError(fault, advice: fit.advice, exitCode: .keysUnusable)
    }
}
