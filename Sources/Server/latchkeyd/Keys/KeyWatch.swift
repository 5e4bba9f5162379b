import Cryptography
import Entitlement
import Lifecycle
import Observability

/// Looks at the key folder every few seconds while the server runs, and takes over what changed in it.
struct KeyWatch: Service {
    private static let interval: Duration = .seconds(2)

    let folder: KeyFolder
    let ring: KeyRing
    /// Those of the running server; their sealing keys follow the folder.
    let keys: ServerKeys
    let logger: Logger

    func run() async throws { await StopSignal.cancelling { await self.watch() } }

    private func watch() async {
        // The key files that were of no use, so that they are not tried, and told, again every few seconds.
        var unusable: [String: [Int64]]?
        while (try? await Task.sleep(for: Self.interval)) != nil, !StopSignal.current.isGiven {
            let state = self.folder.fingerprint()
            if state != self.ring.fingerprint, state != unusable { unusable = self.reload() ? nil : state }
            // A new sealing key waits its turn, which comes without a change of the folder.
            self.ring.arrangeSealing(of: self.keys)
        }
    }

    /// A folder that cannot be used right now changes nothing: the keys at hand are good, and an operator may be in the
    /// middle of something.
    private func reload() -> Bool {
        do throws(OperatorError) {
            let contents = try Self.usable(self.folder, self.ring, self.keys)
            if self.ring.missesKey(in: contents) {
                self.logger.warning("a signing key is gone: whatever it signed is refused, and boxes sign in again")
            }
            self.ring.replace(with: contents)
            self.logger.notice("the signing keys changed")
            return true
        } catch {
            Self.warn(of: error, self.logger)
            return false
        }
    }

    private static func warn(of error: OperatorError, _ logger: Logger) {
        logger.warning("the key folder cannot be used; the keys stay as they were", [.detail: .text(error.sentence)])
    }

    static func warn(of folder: KeyFolder, _ ring: KeyRing, _ keys: ServerKeys, _ logger: Logger) {
        guard folder.fingerprint() != ring.fingerprint else { return }
        do throws(OperatorError) {
            _ = try self.usable(folder, ring, keys)
        } catch {
            self.warn(of: error, logger)
        }
    }

    /// The content of a folder in which a running server finds the keys that it needs.
    private static func usable(
        _ folder: KeyFolder, _ ring: KeyRing, _ keys: ServerKeys
    ) throws(OperatorError) -> KeyFolder.Contents {
        let contents = try folder.load()
        func require(_ isThere: Bool, _ key: String) throws(OperatorError) {
            guard !isThere else { return }
            throw folder.error(
                "The folder \(folder.path) lacks the \(key) in use; put it back before the server starts anew.")
        }
        try require(contents.serverKeys.mark == keys.mark, KeyFolder.masterSecretFile)
        try require(contents.sealing.contains { $0.key.id == keys.seal.current.id }, "sealing key")
        if let use = KeyUse.strange(contents.marks.keys, to: ring.marks).first {
            try require(false, "\(use.rawValue) key")
        }
        return contents
    }
}
