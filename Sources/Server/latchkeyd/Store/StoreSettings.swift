import CommandLineTool
package import Entitlement
import Observability
import POSIX
package import Stores

/// The settings of the store: which store, and how it is opened.
///
/// No other file of the program names a kind of store. A further kind is one more case of ``Kind``.
package struct StoreSettings: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// One file of this machine.
        case sqlite
        /// Tables of a PostgreSQL server, for many nodes.
        case postgres

        var isFile: Bool { self == .sqlite }
    }

    /// The database file; relative to the configuration's folder. The program keeps small files of its own beside it,
    /// also if the store is another one.
    package let file: String
    package let kind: Kind
    let sqlite: SQLiteStore.Options
    /// How servers and commands reach PostgreSQL, whatever kind is chosen; an empty connection if none is named.
    package let postgres: PostgresStore.Options
    /// How `latchkeyd migrate` does, in the role that owns the tables.
    package let migrating: PostgresStore.Options

    /// `latchkeyd init` makes it under this name, too.
    static let defaultFile = "latchkeyd.sqlite"

    init(_ section: SettingsSection) {
        self.kind = section.read(
            "kind", .choice(Kind.allCases), default: .sqlite,
            "sqlite: a file of this machine; postgres: a PostgreSQL server, which several latchkeyd may share")
        self.file = section.read(
            "file", .file, default: Self.defaultFile,
            "The SQLite database, which 'latchkeyd init' makes; small files of latchkeyd's own are beside it")
        self.sqlite = Self.sqlite(section)
        (self.postgres, self.migrating) = Self.postgres(section, isChosen: self.kind == .postgres)
    }

    /// The options of the store of a kind, chosen or not; none if the section does not say where it is.
    func options(of kind: Kind) -> [any Sendable] {
        switch kind {
        case .sqlite: [self.sqlite]
        case .postgres: self.postgres.connection.isEmpty ? [] : [self.postgres, self.migrating]
        }
    }

    /// The stores that the section describes and does not choose.
    var others: [Kind] { Kind.allCases.filter { $0 != self.kind && !self.options(of: $0).isEmpty } }

    private static func sqlite(_ section: SettingsSection) -> SQLiteStore.Options {
        var options = SQLiteStore.Options()
        options.readers = section.read(
            "readers", .integer(1...64), default: options.readers, "sqlite: connections that read in parallel")
        options.busyTimeout = section.read(
            "busyTimeout", .duration(.seconds(1) ... .seconds(60)), default: options.busyTimeout,
            "sqlite: how long to wait for another program that writes to the database")
        return options
    }

    private static func postgres(
        _ section: SettingsSection, isChosen: Bool
    ) -> (serving: PostgresStore.Options, migrating: PostgresStore.Options) {
        let connection = section.readOptional(
            "connection", Self.connection,
            example: .text(
                "host=db1.example,db2.example dbname=latchkey user=latchkey_server sslrootcert=/etc/ssl/db.pem"),
            "postgres: the connection string of libpq; without an sslmode the server checks its certificate "
                + "(verify-full)")
        let migration = section.readOptional(
            "migrationConnection", Self.connection,
            example: .text("host=db1.example,db2.example dbname=latchkey user=latchkey_owner"),
            "postgres: the same for 'latchkeyd migrate', in the role that owns the tables; without it, connection")
        var serving = PostgresStore.Options(connection: connection ?? "")
        serving.connections = section.read(
            "connections", .integer(3...16), default: serving.connections,
            "postgres: connections of this server to it; with less than 5, nonces wait for disk and standby, too")
        var migrating = serving
        migrating.connection = migration ?? serving.connection
        if isChosen, connection == nil { section.fault("connection", "is missing; a store of kind postgres needs it") }
        // The value itself is not shown: it may hold a password.
        if connection != nil, let fault = serving.connectionFault { section.fault("connection", fault) }
        if migration != nil, let fault = migrating.connectionFault { section.fault("migrationConnection", fault) }
        return (serving, migrating)
    }

    private static var connection: SettingKind<String> { .text("a connection string") { _ in true } }

    /// Why libpq would not read the password file of a connection; `nil` if there is none, or it would.
    var passfileFault: String? {
        guard self.kind == .postgres else { return nil }
        for (setting, text) in [
            ("connection", self.postgres.connection), ("migrationConnection", self.migrating.connection),
        ] {
            guard let name = text.firstMatch(of: /(?:^|\s)passfile\s*=\s*(?:'([^']+)'|(\S+))/) else { continue }
            let path = String(name.1 ?? name.2 ?? "")
            guard let status = PrivateFiles.status(path) else {
                return "store.\(setting): The passfile \(path) is missing, or may not be looked at by this user."
            }
            guard status.isOpenToOthers else { continue }
            return
                "store.\(setting): The passfile \(path) has mode \(status.modeText), and libpq ignores one that others than "
                + "its owner may read; it must be 0600 and the server's user's."
        }
        return nil
    }
}

package enum StoreUse: Hashable, Sendable {
    /// To serve from it: a file is brought up to date after a copy. The tables of a server that other nodes use are not
    /// touched.
    case serving
    /// The same, with a file that is made now.
    case making
    /// To bring it up to date; a file after a copy.
    case migrating
    /// To look at it or change records in it, also beside a server. One that an older program wrote is refused.
    case command
}

package struct OpenedStore: Sendable {
    package let store: any CheckableStore & MovableStore
    /// The work to bring it up to date, as a sentence; `nil` when nothing was.
    let upgrade: String?

    /// The same, for what only a store can do that is a file of this machine; `nil` for another.
    var embedded: (any EmbeddedStore)? { self.store as? any EmbeddedStore }
    func close() async { await self.store.close() }
}

extension StoreSettings {
    /// Opens a file, such as the one that `latchkeyd init` makes.
    static func openFile(
        _ file: String, _ options: SQLiteStore.Options = .init(), for use: StoreUse
    ) async throws(StoreError) -> OpenedStore {
        let store = try await SQLiteStore.open(
            file, options: options, olderSchema: use == .command ? .refuse : .migrateAfterCopy)
        return OpenedStore(
            store: store,
            upgrade: store.upgrade.map { "Schema \($0.schema), as it was, is in \($0.copy ?? "no copy")." })
    }

    /// Opens the store of a kind, chosen or not.
    /// - Parameter evidence: tells and counts when another PostgreSQL server takes writes; `nil` for a command.
    func open(
        _ kind: Kind, _ file: String, for use: StoreUse, _ evidence: (logger: Logger, metrics: Metrics)? = nil
    ) async throws(StoreError) -> OpenedStore {
        switch kind {
        case .sqlite: return try await Self.openFile(file, self.sqlite, for: use)
        case .postgres:
            var upgrade: String?
            if use == .migrating {
                upgrade = try await PostgresStore.migrate(self.migrating).map { schema in
                    schema == 0 ? "It had no tables." : "It had schema \(schema)."
                }
            }
            var report: @Sendable (PrimaryChange) -> Void = { _ in }
            if let evidence { report = Self.telling(evidence.logger, evidence.metrics) }
            var options = self.postgres
            // A command reads whole tables, and no box waits for it.
            if use == .command { options.readingTime = .seconds(60) }
            return OpenedStore(store: try await PostgresStore.open(options, report: report), upgrade: upgrade)
        }
    }

    private static func telling(_ logger: Logger, _ metrics: Metrics) -> @Sendable (PrimaryChange) -> Void {
        let changes = metrics.counter(
            "latchkey_store_primary_changes_total", help: "How often another PostgreSQL server took writes than before."
        )
        return { change in
            changes.increment()
            logger.warning(
                "another PostgreSQL server takes writes now",
                [
                    .from: .text(change.from.name), .to: .text(change.to.name),
                    .timelines: .text("\(change.from.timeline) to \(change.to.timeline)"),
                    .reason: .text(change.reason.rawValue),
                ])
        }
    }
}

extension StoreSettings.Kind {
    /// Says why there is nothing to open; `nil` when there is. A program that made a store in a mistyped place, or in
    /// place of one that is lost, would forget all viewers and keys without a word.
    func absence(in configuration: Configuration) -> OperatorError? {
        guard self.isFile else { return nil }
        let file = configuration.storeFile
        let sentence: String
        var first = "Correct store.file, or put back the store alone: "
        do throws(SystemError) {
            let status = try FileStatus(of: file, followsLinks: true)
            guard status.size == 0 || !status.isRegularFile else { return nil }
            let kind = status.isFolder ? "a folder" : status.isRegularFile ? "empty" : "no file"
            sentence = "The store \(file) is \(kind)."
            if status.isFolder { first = "Correct store.file, or move the folder aside and put back the store alone: " }
        } catch {
            // To open it says which rights are missing.
            guard !error.isOfRights else { return nil }
            sentence =
                error == .notFound ? "There is no store at \(file)." : "The store \(file) cannot be used: \(error)."
            if error == .notFound {
                first =
                    "If the file was moved, move it back, and do not stop a server that still runs: what it took since "
                    + "would be lost. Otherwise correct store.file, or put back the store alone: "
            }
        }
        return OperatorError(
            sentence,
            advice:
                "\(first)stop the server, remove \(file)-wal and \(file)-shm, and copy "
                + "\(BackupPlace(ofStore: configuration).name) from the folder of the newest backup to "
                + "\(file), for the server's user and with mode 0600. 'sudo -u latchkeyd latchkeyd serve --new-store' "
                + "begins with an empty store, without the viewers, keys and sign-ins of the old one.",
            exitCode: .stateProblem)
    }
}
