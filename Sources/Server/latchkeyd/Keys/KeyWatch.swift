import Cryptography
package import Entitlement
import Lifecycle
package import Observability

/// Looks at the key folder every few seconds while the server runs, and takes over what changed in it.
package struct KeyWatch: Service {
    private static let interval: Duration = .seconds(2)

    private let folder: KeyFolder
    private let ring: KeyRing
    private let keys: ServerKeys
    private let logger: Logger

    /// - Parameter keys: those of the running server; their sealing keys follow the folder.
    package init(folder: KeyFolder, ring: KeyRing, keys: ServerKeys, logger: Logger) {
        self.folder = folder
        self.ring = ring
        self.keys = keys
        self.logger = logger.named("keys")
    }

    package func run() async throws {
        await StopSignal.cancelling { await self.watch() }
    }

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
            let contents = try self.folder.load()
            guard contents.serverKeys.mark == self.keys.mark,
                contents.sealing.contains(where: { $0.key.id == self.keys.seal.current.id }),
                KeyUse.strange(contents.marks, to: self.ring.marks).isEmpty
            else {
                throw self.folder.error(
                    "The keys in \(self.folder.path) are those of another set-up, or lack a key in use.")
            }
            if !self.ring.marks.isSubset(of: contents.marks) {
                self.logger.warning("a signing key is gone: whatever it signed is refused, and boxes sign in again")
            }
            self.ring.replace(with: contents)
            self.logger.notice("the signing keys changed")
            return true
        } catch {
            self.logger.warning(
                "the key folder cannot be used; the keys stay as they were", [.detail: .text(error.sentence)])
            return false
        }
    }
}
