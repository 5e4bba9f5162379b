import CommandLineTool
import Cryptography
import Entitlement

/// Whether a folder of keys and a store belong together, as far as the sealed key pairs of the store tell.
struct KeyFit {
    /// How many key pairs the store has, and how many of them open.
    let count: Int
    let opening: Int

    init(_ keyPairs: [KeyPairRecord], under keys: ServerKeys) {
        self.count = keyPairs.count
        self.opening = keyPairs.count { pair in
            let purpose = Credentials.purpose(of: pair.publicKey).utf8
            return (try? keys.seal.open(pair.sealedPrivateKey, authenticating: purpose)) != nil
        }
    }

    /// The keys are of another set-up: no box could sign in, and no box would stay signed in.
    var isForeign: Bool { self.count > 0 && self.opening == 0 }

    /// The fault, as a sentence; `nil` when nothing is.
    func fault(folder: String) -> String? {
        guard self.opening < self.count else { return nil }
        return self.isForeign
            ? "The keys in \(folder) are those of another set-up: they open nothing that the store has sealed."
            : "\(self.count - self.opening) of \(self.count) key pairs of the store open with no key in \(folder)."
    }

    /// - Throws: when the keys are of another set-up.
    static func require(of folder: String, for administration: Administration) async throws {
        let fit = KeyFit(try await administration.credentials.keyPairs(), under: administration.keys)
        guard fit.isForeign, let fault = fit.fault(folder: folder) else { return }
        throw OperatorError(
            fault, advice: "Put back the keys that belong to the store, or name its own in keys.folder.",
            exitCode: .keysUnusable)
    }
}
