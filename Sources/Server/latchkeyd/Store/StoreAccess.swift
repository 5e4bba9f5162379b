import Clientless
import CommandLineTool
package import Entitlement
import FoundationEssentials
package import Observability
import POSIX

package enum StoreAccess {
    /// Writes what is wrong with the configured store to standard output, a line each.
    /// - Returns: whether it is whole.
    /// - Throws: `OperatorError` when it is not there or cannot be used.
    static func isWhole(_ configuration: Configuration, _ call: CommandCall) async throws -> Bool {
        let damage = try await self.withStore(of: configuration) { try await $0.store.integrityCheck() }
        let place = configuration.store.kind.isFile ? "store.file" : "store"
        for sentence in damage { try call.result("\(place): \(terminalSafe(sentence, limit: 400))") }
        return damage.isEmpty
    }

    /// Lends a command what only a store can do that is a file of this machine.
    /// - Throws: `OperatorError` when it is none, is not there or cannot be used; what `body` throws.
    static func withEmbedded<Result>(
        of configuration: Configuration, _ body: (any EmbeddedStore) async throws -> Result
    ) async throws -> Result {
        try await self.withStore(of: configuration) { opened in
            guard let embedded = opened.embedded else { throw StoreProblem.noFile }
            return try await body(embedded)
        }
    }

    private static func withStore<Result>(
        of configuration: Configuration, _ body: (OpenedStore) async throws -> Result
    ) async throws -> Result {
        try await self.closing(try await self.open(configuration, for: .command), of: configuration, body)
    }

    private static func closing<Result>(
        _ opened: OpenedStore, of configuration: Configuration, _ body: (OpenedStore) async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body(opened)
            await opened.close()
            return result
        } catch {
            await opened.close()
            throw StoreProblem.described(error, file: configuration.shownStoreFile)
        }
    }

    /// - Parameter evidence: tells and counts what happens to a store that serves.
    package static func open(
        _ configuration: Configuration, for use: StoreUse, _ evidence: (logger: Logger, metrics: Metrics)? = nil
    ) async throws(OperatorError) -> OpenedStore {
        let (kind, file) = (configuration.store.kind, configuration.storeFile)
        let absence = kind.absence(in: configuration)
        if use != .making {
            if let absence { throw absence }
        } else if absence == nil {
            throw OperatorError(
                "There is a store already.", advice: "Leave --new-store out to serve from it.",
                exitCode: .stateProblem)
        }
        let opened: OpenedStore
        do throws(StoreError) {
            // Another server may be about to take the place of one that is gone.
            if let evidence, !kind.isFile {
                opened = try await self.patiently(evidence.logger) { () throws(StoreError) in
                    try await configuration.store.open(kind, file, for: use, evidence)
                }
            } else {
                opened = try await configuration.store.open(kind, file, for: use, evidence)
            }
        } catch {
            let problem = StoreProblem.describe(error, file: configuration.shownStoreFile)
            guard error.code == .olderSchema, !kind.isFile, PrivateFiles.status(file)?.size ?? 0 > 0
            else { throw problem }
            throw OperatorError(
                problem.sentence,
                advice:
                    "If the database is new, and boxes and viewers are in \(file), run 'latchkeyd store copy --from sqlite "
                    + "--to postgres', which makes the tables, too. Otherwise: \(problem.advice ?? "")",
                exitCode: .configuration)
        }
        guard use == .serving || use == .command else { return opened }
        do throws(OperatorError) {
            try await self.requireUnmoved(opened, of: configuration)
            // A server that began now would serve from the one, and the copy say that the other counts.
            let now = (try? await opened.store.clock()) ?? Timestamp(milliseconds: WallClock.milliseconds())
            if use == .serving, (try? await StoreCopy.isUnderWay(opened.store, now: now)) == true {
                throw OperatorError(
                    "The store is being copied to another one.",
                    advice:
                        "Start the server when 'latchkeyd store copy' is over. One that was killed counts for two minutes.",
                    exitCode: .stateProblem)
            }
        } catch {
            await opened.close()
            throw error
        }
        return opened
    }

    /// - Throws: when the store was copied to another one.
    private static func requireUnmoved(
        _ opened: OpenedStore, of configuration: Configuration
    ) async throws(OperatorError) {
        let move: String?
        do throws(StoreError) {
            move = try await StoreMark.moved(in: opened.store).text()
        } catch {
            // A check of the store says more.
            guard error.code != .damaged else { return }
            throw StoreProblem.describe(error, file: configuration.shownStoreFile)
        }
        if let move { throw StoreProblem.moved(terminalSafe(move, limit: 400), file: configuration.shownStoreFile) }
    }

    /// Lets servers use the configured store again, although it was copied to another one.
    /// - Parameter isConfirmed: whether the operator knows what is lost.
    /// - Returns: whether it was copied.
    /// - Throws: also while a server uses the copy.
    static func takeBack(_ configuration: Configuration, isConfirmed: Bool, now: Timestamp) async throws -> Bool {
        if let absence = configuration.store.kind.absence(in: configuration) { throw absence }
        let opened = try await self.open(configuration.store.kind, configuration, for: .command)
        return try await self.closing(opened, of: configuration) { opened in
            let mark = StoreMark.moved(in: opened.store)
            guard let text = try await mark.text() else { return false }
            let isServed = await self.isCopyServed(of: configuration, now: now)
            guard isConfirmed, !isServed else {
                throw StoreProblem.notTakenBack(
                    terminalSafe(text, limit: 400), isServed: isServed, file: configuration.shownStoreFile)
            }
            return try await mark.remove()
        }
    }

    /// Whether a server uses the store that the configured one was copied to; `false` if that cannot be looked at from here.
    private static func isCopyServed(of configuration: Configuration, now: Timestamp) async -> Bool {
        for other in configuration.store.others where other.absence(in: configuration) == nil {
            if other.isFile {
                do { _ = try configuration.lockStoreFile() } catch { return true }
            }
            guard let copy = try? await self.open(other, configuration, for: .command) else { continue }
            var isServed = false
            do throws(StoreCopy.Fault) {
                try await StoreCopy.requireUnused(copy.store, now: now)
            } catch {
                isServed = error == .served(.source)
            }
            await copy.close()
            if isServed { return true }
        }
        return false
    }

    /// Tries again for a minute while a store cannot be used now, and says so each time.
    package static func patiently<Opened>(
        _ logger: Logger, uptime: Uptime = SystemClock.uptime,
        pause: (Duration) async -> Void = { try? await Task.sleep(for: $0) },
        _ open: () async throws(StoreError) -> Opened
    ) async throws(StoreError) -> Opened {
        let end = uptime() + .seconds(60)
        while true {
            do throws(StoreError) {
                return try await open()
            } catch {
                guard error.code == .unavailable, uptime() < end else { throw error }
                logger.warning("the store cannot be used yet, and is tried again", [.detail: .text(error.detail)])
                await pause(.seconds(2))
            }
        }
    }

    /// Carries everything from one of the stores that a configuration describes to another one of them.
    /// - Parameter report: hears of each table when it is done.
    static func copy(
        of configuration: Configuration, from: StoreSettings.Kind, to: StoreSettings.Kind,
        now: @Sendable () -> Timestamp, report: (StoreCopy.TableOutcome) -> Void
    ) async throws {
        for kind in [from, to] where configuration.store.options(of: kind).isEmpty {
            throw OperatorError(
                "The configuration does not say where the store of kind \(kind.rawValue) is.",
                advice:
                    "Give store.connection, and for its tables store.migrationConnection; store.kind stays as it is.",
                exitCode: .configuration)
        }
        // One of the two is the file.
        let lock = try configuration.lockStoreFile()
        if let absence = from.absence(in: configuration) { throw absence }
        func problem(_ fault: StoreCopy.Fault) -> OperatorError {
            StoreProblem.describe(fault) { ($0 == .source ? from : to).isFile ? configuration.storeFile : nil }
        }
        let opened = try await self.open(from, configuration, for: .command)
        try await self.closing(opened, of: configuration) { opened in
            do throws(StoreCopy.Fault) {
                try await StoreCopy.requireUnused(opened.store, now: now())
            } catch {
                throw problem(error)
            }
            let made = try await self.open(to, configuration, for: to.isFile ? .making : .migrating)
            try await self.closing(made, of: configuration) { made in
                // Servers hold their leases by the clock of the one that is shared.
                let shared = opened.store.isShared ? opened.store : made.store
                let ahead = (try? await shared.clock()).map { $0 - now() } ?? .zero
                do throws(StoreCopy.Fault) {
                    try await StoreCopy(from: opened.store, to: made.store).run(now: { now() + ahead }, report: report)
                } catch {
                    throw problem(error)
                }
                let place = to.isFile ? "the file \(configuration.storeFile)" : "the store of kind \(to.rawValue)"
                do throws(StoreError) {
                    try await StoreMark.moved(in: made.store).remove()
                    let mark = StoreMark.moved(in: opened.store)
                    try await mark.remove()
                    try await mark.set("\(place) at \(now().timeText)")
                } catch {
                    throw problem(.store(error, of: .source))
                }
            }
        }
        _ = consume lock
    }

    private static func open(
        _ kind: StoreSettings.Kind, _ configuration: Configuration, for use: StoreUse
    ) async throws(OperatorError) -> OpenedStore {
        do throws(StoreError) {
            return try await configuration.store.open(kind, configuration.storeFile, for: use)
        } catch {
            throw StoreProblem.describe(error, file: kind.isFile ? configuration.storeFile : nil)
        }
    }

    static func make(_ file: String) async throws(OperatorError) -> any Store {
        do throws(StoreError) {
            return try await StoreSettings.openFile(file, for: .making).store
        } catch {
            throw StoreProblem.describe(error, file: file)
        }
    }

    /// Opens a store that came out of a backup.
    /// - Returns: `nil` for that of an older program, which is left as it is.
    static func openRestored(_ file: String) async throws(OperatorError) -> (any EmbeddedStore)? {
        do throws(StoreError) {
            return try await StoreSettings.openFile(file, for: .command).embedded
        } catch {
            guard error.code == .olderSchema else { throw StoreProblem.describe(error, file: file) }
            return nil
        }
    }
}

extension Configuration {
    /// The same if the store is that file; `nil` for another.
    var shownStoreFile: String? { self.store.kind.isFile ? self.storeFile : nil }

    /// The path of the store's file, beside which the program keeps small files of its own.
    var storeFile: String { self.path(self.store.file) }

    /// Keeps other servers and copies from the store's file until the lock goes out of scope or the process ends.
    /// - Returns: `nil` if there can be no lock; opening the store then says why.
    /// - Throws: when another process has it.
    func lockStoreFile() throws(OperatorError) -> FileLock? {
        do throws(SystemError) {
            return try FileLock(self.storeFile + "-lock", patience: .zero)
        } catch {
            guard error == .locked else { return nil }
            throw StoreProblem.used(self.storeFile)
        }
    }

    var isStoreFileInUse: Bool {
        // The look makes no lock of its own.
        guard PrivateFiles.status(self.storeFile + "-lock") != nil else { return false }
        do { _ = try self.lockStoreFile() } catch { return true }
        return false
    }

    /// The faults of the store that would keep the server from starting; sentences that begin with the setting.
    func storeFaults() -> [String] {
        if let fault = self.store.passfileFault { return [fault] }
        let file = self.storeFile
        let folder = URL(filePath: file).deletingLastPathComponent().path
        let manager = FileManager.default
        // Beside a store that is no file there are small files only.
        let kind = self.store.kind
        if let absence = kind.absence(in: self) {
            return ["store.file: \([absence.sentence, absence.advice].compactMap(\.self).joined(separator: " "))"]
        }
        guard !kind.isFile || manager.isWritableFile(atPath: file) else {
            return ["store.file: The store \(file) may not be written by this user."]
        }
        guard manager.fileExists(atPath: folder) else { return ["store.file: The folder \(folder) is not there."] }
        return manager.isWritableFile(atPath: folder)
            ? [] : ["store.file: Nothing may be made in the folder \(folder) by this user."]
    }

    /// Whether others than its owner may read the file of the store.
    var hasOpenStore: Bool {
        guard self.store.kind.isFile, let file = try? FileStatus(of: self.storeFile, followsLinks: true)
        else { return false }
        return file.isRegularFile && file.isOpenToOthers
    }
}

extension CommandCall {
    /// Says so when servers do not hear of changes at once.
    func tellDelay() async {
        // The change is made; of a store that does not answer now there is nothing more to say.
        guard let store = self.opened?.access.store, (try? await store.hasUntoldChange) == true,
            let position = try? await store.latestChange()
        else { return }
        await store.waitForChange(after: position, timeout: .seconds(3))
        guard case .heldUp? = try? await store.changes(after: position, limit: 1) else { return }
        self.say(
            "A write transaction is open in PostgreSQL: other servers hear of this within five seconds, not at once.")
    }
}
