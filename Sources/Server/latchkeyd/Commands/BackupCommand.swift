import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import FoundationEssentials
import POSIX

enum BackupCommand {
    static let command = ServerCommand(
        .store, "backup", "Copy store, configuration and keys to a folder while the server runs",
        discussion: [
            "The folder (mode 0700) has everything that 'latchkeyd restore' needs, and a manifest with checksums. "
                + "It gets its name only when it is complete. The store in it is a snapshot of one moment. A "
                + "passphrase seals the keys and the secrets of TV providers. With --without-keys they are left "
                + "out. Keep them elsewhere then: without the keys every box has to sign in again.",
            "The folder shows who the viewers are, so protect it as you protect the store. Pack and move it with "
                + "tar or restic.",
        ],
        options: [
            Passphrase.option,
            .flag("without-keys", "Leave out the keys and the secrets of TV providers"),
            .flag("store-only", "Copy the store alone, as a database file"),
        ],
        operands: [CommandOperand("FOLDER", "The folder of the backup; must not exist")],
        examples: [
            "latchkeyd backup --passphrase-file /root/passphrase /root/latchkeyd-backup":
                "by hand; latchkeyd-backup.timer makes one a night"
        ], also: [.invalidData]
    ) { arguments, call in
        try arguments.requireAtMostOne(of: "store-only", "without-keys", "passphrase-file")
        let file = try call.file
        let configuration = try file.read()
        let backup = Folder.trimmed(arguments.operands[0])
        guard !FileManager.default.fileExists(atPath: backup) else {
            throw OperatorError(
                "\(backup) exists already.", advice: "A backup never overwrites; give another name.",
                exitCode: .stateProblem)
        }
        guard configuration.store.kind.isFile else { throw StoreProblem.noFile }
        if arguments.has("store-only") {
            try await Self.copyStore(of: configuration, to: backup)
        } else {
            let isWithoutKeys = arguments.has("without-keys")
            do {
                try await Self.warnOfKeys(configuration, call)
            } catch let error as OperatorError where isWithoutKeys && error.exitCode == .keysUnusable {
                call.say("warning: \(error) Without the keys of the store nothing of this backup can be used.")
            }
            // Asked for first: a person waits for this, and not for the copy.
            let passphrase = isWithoutKeys ? nil : try Passphrase.new(call)
            try await Self.write(backup, configuration, file, passphrase, call)
            // For the console and the metrics. A folder that takes no file costs that line, and not the backup. The
            // file takes the place of a link, by which the server's user could have root empty another one.
            if passphrase != nil { try? PrivateFiles.replace(Self.mark(of: configuration), "") }
        }
        call.say("\(backup) is complete.")
    }

    /// Says which keys of the store are missing.
    /// - Throws: when all are. Without the keys that the store needs it would be no backup, and a timer would erase the
    ///   ones that have them.
    private static func warnOfKeys(_ configuration: Configuration, _ call: CommandCall) async throws {
        let (folder, administration) = (configuration.keyFolder.path, try await call.administration)
        let fit = try await KeyFit.require(of: folder, for: administration)
        if let fault = fit.fault(folder: folder) { call.say("warning: \(fault)") }
        for warning in await ConfigurationWarning.goneKeys(in: configuration, administration.keyMark, now: call.now) {
            call.say("warning: \(warning.sentence).")
        }
    }

    /// The file beside the store whose age says how old the last backup is. One without the keys is none.
    private static func mark(of configuration: Configuration) -> String {
        "\(Folder.containing(configuration.storeFile))/last-backup"
    }

    /// When the last backup was complete, in seconds since 1970; `nil` if none is known. A program that backs up PostgreSQL
    /// may touch the file.
    static func lastSuccess(of configuration: Configuration) -> Int64? {
        (try? FileStatus(of: Self.mark(of: configuration), followsLinks: true))?.modified
    }

    /// - Parameter backup: what the copy is a part of; `nil` is nothing.
    private static func copyStore(
        of configuration: Configuration, to copy: String, for backup: String? = nil
    ) async throws {
        try await StoreAccess.withEmbedded(of: configuration) { store in
            do throws(StoreError) {
                try await store.backup(to: copy)
            } catch {
                throw Self.fault(error, making: backup ?? copy)
            }
        }
    }

    private static func fault(_ error: StoreError, making file: String) -> OperatorError {
        guard error.code != .full else {
            return OperatorError(
                "\(file) cannot be written: the disk is full.",
                advice: "Make room, or name a place on another disk. Nothing is left of it.", exitCode: .stateProblem)
        }
        return Self.refusal(of: "\(file).\(Hex.encode(SecureRandom.bytes(8)))").map { Self.fault($0, making: file) }
            ?? OperatorError("The copy \(file) cannot be made (\(error.detail)).", exitCode: .stateProblem)
    }

    private static func fault(_ refusal: SystemError, making file: String) -> OperatorError {
        let folder = Folder.containing(file)
        guard refusal != .notFound else {
            return OperatorError(
                "\(file) cannot be written: the folder \(folder) is not there.", advice: "Make it, or name another.",
                exitCode: .stateProblem)
        }
        let isForRoot = refusal.isOfRights && ThisProcess.effectiveUser != 0
        return OperatorError(
            "\(file) cannot be written: nothing can be made in the folder \(folder) (\(refusal)).",
            advice: isForRoot ? "Run it as root, or name a folder of this user." : "Name another folder.",
            exitCode: .stateProblem)
    }

    /// Why no folder can be made under a name, which the store does not tell from other failures; `nil` when one can.
    private static func refusal(of draft: String) -> SystemError? {
        do throws(SystemError) {
            try Folder.make(draft)
            try? FileManager.default.removeItem(atPath: draft)
            return nil
        } catch {
            return error
        }
    }

    private static func write(
        _ backup: String, _ configuration: Configuration, _ file: ConfigurationFile, _ passphrase: Secret?,
        _ call: CommandCall
    ) async throws {
        let draft = "\(backup).new"
        guard !FileManager.default.fileExists(atPath: draft) else {
            throw OperatorError(
                "\(draft) exists already.",
                advice: "If no backup runs, one was cut short: remove it, or give another name.",
                exitCode: .stateProblem)
        }
        if let refusal = Self.refusal(of: draft) { throw Self.fault(refusal, making: backup) }
        defer { try? FileManager.default.removeItem(atPath: draft) }
        let source = try BackupSource(configuration, file: file)
        let (made, store) = (call.now, "\(draft)/\(source.storePlace.name)")
        try PrivateFiles.makeFolder(Folder.containing(store))
        try await Self.copyStore(of: configuration, to: store, for: backup)
        var entries: [BackupManifest.Entry] = []
        func add(_ place: BackupPlace, _ facts: (size: Int, digest: String)) {
            entries.append(.init(name: place.name, size: facts.size, digest: facts.digest, place: place.elsewhere))
        }
        for file in source.plain {
            add(file, try BackupFiles.copy(file.path, to: "\(draft)/\(file.name)"))
        }
        if let lives = DocumentLivesFile(beside: configuration.storeFile).content {
            let copy = "\(draft)/\(source.lives.name)"
            try PrivateFiles.makeFolder(Folder.containing(copy))
            try PrivateFiles.create(copy, lives)
            add(source.lives, try BackupFiles.look(at: copy))
        }
        add(source.storePlace, try BackupFiles.look(at: store))
        let manifest = BackupManifest(
            format: BackupManifest.format, version: ServerProgram.version, made: made.timeText, entries: entries,
            configuration: ConfigurationFile.name, store: source.storePlace.name, keyFolder: source.keys.name,
            keyPlace: source.keys.elsewhere, secretPlaces: source.secretPlaces, hasKeys: passphrase != nil)
        let text = Array(try JSONLine.text(of: manifest).utf8)
        func create(_ name: String, _ content: [UInt8], atMost limit: Int) throws(OperatorError) {
            let fault = "\(backup) would hold too much: \(name) has \(content.count) bytes, and restore reads \(limit)."
            guard content.count <= limit else { throw OperatorError(fault, exitCode: .stateProblem) }
            try PrivateFiles.create("\(draft)/\(name)", Data(content))
        }
        if let passphrase {
            let sealed = try SealedFiles.seal(try source.secrets(), passphrase, manifest: text)
            try create(SealedFiles.name, sealed, atMost: SealedFiles.maximumSize)
        }
        try PrivateFiles.create("\(draft)/\(BackupManifest.digestName)", Data(BackupManifest.digestLine(of: text)))
        try create(BackupManifest.name, text, atMost: BackupManifest.maximumSize)
        try PrivateFiles.move(draft, to: backup)
    }
}
