import CommandLineTool
import Entitlement
import FoundationEssentials
package import StoreSQLite

/// Opens the configured store for a command.
package enum StoreAccess {
    /// Lends the store for the length of `body`. The server may run meanwhile; it follows what is changed here.
    /// A store that an older program wrote is refused, not changed: ``MigrateCommand`` and the server itself do that.
    /// - Throws: `OperatorError` when there is no store yet or it cannot be opened; what `body` throws.
    package static func withStore<Result>(
        of configuration: Configuration, _ body: (SQLiteStore) async throws -> Result
    ) async throws -> Result {
        let file = configuration.path(configuration.store.file)
        try Self.requireFile(file)
        let store = try await Self.open(file, SQLiteStore.Options(), olderSchema: .refuse)
        do {
            let result = try await body(store)
            await store.close()
            return result
        } catch let error as StoreError {
            await store.close()
            throw StoreProblem.describe(error, file: file)
        } catch {
            await store.close()
            throw error
        }
    }

    /// A command that made a store in a mistyped place would report success into nowhere.
    static func requireFile(_ file: String) throws(OperatorError) {
        guard FileManager.default.fileExists(atPath: file) else {
            throw OperatorError(
                "There is no store at \(file).", advice: "'latchkeyd init' makes one, and so does 'latchkeyd serve'.",
                exitCode: .stateProblem)
        }
    }

    /// Opens a store, and makes it where it is missing.
    package static func open(
        _ file: String, _ options: SQLiteStore.Options, olderSchema: SQLiteStore.OlderSchema = .refuse
    ) async throws(OperatorError) -> SQLiteStore {
        do {
            return try await SQLiteStore.open(file, options: options, olderSchema: olderSchema)
        } catch {
            throw StoreProblem.describe(error, file: file)
        }
    }
}
