import CommandLineTool
import Entitlement
import FoundationEssentials
package import StoreSQLite

/// Opens the configured store for a command.
package enum StoreAccess {
    /// Lends the store for the length of `body`. The server may run meanwhile; it follows what is changed here.
    /// - Throws: `OperatorError` when there is no store yet or it cannot be opened; what `body` throws.
    package static func withStore<Result>(
        of configuration: Configuration, _ body: (SQLiteStore) async throws -> Result
    ) async throws -> Result {
        let file = configuration.path(configuration.store.file)
        // A command that made a store in a mistyped place would report success into nowhere.
        guard FileManager.default.fileExists(atPath: file) else {
            throw OperatorError(
                "There is no store at \(file).", advice: "'latchkeyd init' makes one, and so does 'latchkeyd serve'.",
                exitCode: .stateProblem)
        }
        let store = try await Self.open(file, SQLiteStore.Options())
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

    /// Opens a store, and makes it where it is missing.
    package static func open(_ file: String, _ options: SQLiteStore.Options) async throws(OperatorError) -> SQLiteStore
    {
        do {
            return try await SQLiteStore.open(file, options: options)
        } catch {
            throw StoreProblem.describe(error, file: file)
        }
    }
}
