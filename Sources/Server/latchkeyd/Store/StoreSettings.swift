import CommandLineTool
package import Entitlement
import FoundationEssentials
package import StoreSQLite

/// Where the server keeps what it must not forget: which store, and how it is opened.
///
/// No other file of the program names a kind of store. A further kind is one more case of ``Kind``.
package struct StoreSettings: Sendable {
    package enum Kind: Hashable, Sendable {
        /// One file of this machine.
        case sqlite(SQLiteStore.Options)
    }

    /// The database file; relative to the configuration's folder. The program keeps small files of its own beside it.
    package let file: String
    package let kind: Kind

    /// `latchkeyd init` makes it under this name, too.
    static let defaultFile = "latchkeyd.sqlite"
    /// What `latchkeyd init` makes, and what an archive has in it.
    static let madeKind = Kind.sqlite(SQLiteStore.Options())

    init(_ section: SettingsSection) {
        self.file = section.read(
            "file", .file, default: Self.defaultFile, "The SQLite database, made when it is not there")
        var options = SQLiteStore.Options()
        options.readers = section.read(
            "readers", .integer(1...64), default: options.readers, "Connections that read in parallel")
        options.busyTimeout = section.read(
            "busyTimeout", .duration(.seconds(1) ... .seconds(60)), default: options.busyTimeout,
            "How long to wait for another program that writes to the database")
        self.kind = .sqlite(options)
    }
}

/// What a store is opened for.
package enum StoreUse: Hashable, Sendable {
    /// To serve from it: it is made where it is missing, and brought up to date after a copy.
    case serving
    /// To bring it up to date, after a copy.
    case migrating
    /// To look at it or change records in it, also beside a server. One that an older program wrote is refused.
    case command
}

/// A store that was opened.
package struct OpenedStore: Sendable {
    package let store: any Store
    /// The same, for what only a store can do that is a file of this machine; `nil` for another.
    let embedded: (any EmbeddedStore)?
    /// What was done to bring it up to date, as a sentence; `nil` when nothing was.
    let upgrade: String?

    func close() async {
        await self.store.close()
    }
}

extension StoreSettings.Kind {
    /// - Parameter file: the path of ``StoreSettings/file``.
    func open(_ file: String, for use: StoreUse) async throws(StoreError) -> OpenedStore {
        switch self {
        case .sqlite(let options):
            let olderSchema: SQLiteStore.OlderSchema
            switch use {
            case .serving, .migrating: olderSchema = .migrateAfterCopy
            case .command: olderSchema = .refuse
            }
            let store = try await SQLiteStore.open(file, options: options, olderSchema: olderSchema)
            return OpenedStore(
                store: store, embedded: store,
                upgrade: store.upgrade.map { "Schema \($0.schema), as it was, is in \($0.copy ?? "no copy")." })
        }
    }

    /// Why there is nothing to open yet; `nil` when there is. A command that made a store in a mistyped place would
    /// report success into nowhere.
    func absence(of file: String) -> OperatorError? {
        switch self {
        case .sqlite:
            guard !FileManager.default.fileExists(atPath: file) else { return nil }
            return OperatorError(
                "There is no store at \(file).", advice: "'latchkeyd init' makes one, and so does 'latchkeyd serve'.",
                exitCode: .stateProblem)
        }
    }
}
