import Lifecycle
package import Observability

/// Looks at the key folder every few seconds while the server runs, and takes over what changed in it.
package struct KeyWatch: Service {
    private static let interval: Duration = .seconds(2)

    private let folder: KeyFolder
    private let ring: KeyRing
    private let logger: Logger

    package init(folder: KeyFolder, ring: KeyRing, logger: Logger) {
        self.folder = folder
        self.ring = ring
        self.logger = logger.named("keys")
    }

    package func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.watch() }
            await StopSignal.current.wait()
            group.cancelAll()
        }
    }

    private func watch() async {
        // What was of no use is not tried, and told, again every few seconds.
        var unusable: [String]?
        while (try? await Task.sleep(for: Self.interval)) != nil, !StopSignal.current.isGiven {
            let state = self.folder.fingerprint()
            guard state != self.ring.fingerprint, state != unusable else { continue }
            unusable = self.reload() ? nil : state
        }
    }

    /// A folder that cannot be used right now changes nothing: the keys at hand are good, and an operator may be in the
    /// middle of something.
    private func reload() -> Bool {
        do throws(OperatorError) {
            self.ring.replace(with: try self.folder.load())
            self.logger.notice("the signing keys changed")
            return true
        } catch {
            self.logger.warning(
                "the key folder cannot be used; the keys stay as they were", [.detail: .text(error.sentence)])
            return false
        }
    }
}
