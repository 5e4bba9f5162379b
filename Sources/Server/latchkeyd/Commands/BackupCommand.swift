import Clientless
package import CommandLineTool
import Cryptography
import Entitlement
import FoundationEssentials
import POSIX

/// `latchkeyd backup`
package enum BackupCommand: ServerCommand {
    package static let command = Command(
        "backup", "Make one archive of store, configuration and keys while the server runs",
        discussion: [
            "The archive has everything that is needed to come back with 'latchkeyd restore', and appears under its name "
                + "only when it is complete. The store in it is as of one moment. Keys are sealed with a passphrase; with "
                + "--without-keys they are left out, and have to be kept elsewhere: without them every box has to sign in "
                + "again.",
            "Any tar lists the archive. Who has it sees whom the viewers are, so keep it like the store itself.",
        ],
        options: [
            ConfigurationFile.option, Passphrase.option, .flag("without-keys", "Leave the keys out"),
            .flag("store-only", "Copy the store alone, as a database file"),
        ],
        operands: [CommandOperand("FILE", "Where the archive goes; must not exist")],
        examples: [
            CommandExample(
                "latchkeyd backup --passphrase-file /root/passphrase /root/latchkeyd.tar",
                "by hand; latchkeyd-backup.timer makes one a night")
        ],
        exitCodes: [.success, .usage, .invalidData, .keysUnusable, .stateProblem, .configuration])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let file = try ConfigurationFile.locate(arguments, context)
        let configuration = try file.read()
        let archive = arguments.operands[0]
        guard !FileManager.default.fileExists(atPath: archive) else {
            throw OperatorError(
                "\(archive) exists already.", advice: "A backup never overwrites; give another name.",
                exitCode: .stateProblem)
        }
        if arguments.has("store-only") {
            try await Self.copyStore(of: configuration, to: archive)
        } else {
            // Asked for first: a person waits for this, and not for the copy.
            let passphrase = arguments.has("without-keys") ? nil : try Passphrase.new(arguments, context.console)
            try await Self.write(archive, configuration, file, passphrase, context)
        }
        context.console.say("\(archive) is complete.")
        return .success
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

    /// Why a copy of the store cannot be made, in words.
    private static func fault(_ error: StoreError, making file: String) -> OperatorError {
        let folder = URL(filePath: file).deletingLastPathComponent().path
        guard error.code != .full else {
            return OperatorError(
                "\(file) cannot be written: the disk is full.",
                advice: "Make room, or name a file on another disk. Nothing is left of it.", exitCode: .stateProblem)
        }
        switch Self.refusal(of: file) {
        case nil: return OperatorError("The copy \(file) cannot be made (\(error.detail)).", exitCode: .stateProblem)
        case .some(.notFound):
            return OperatorError(
                "\(file) cannot be written: the folder \(folder) is not there.", advice: "Make it, or name another.",
                exitCode: .stateProblem)
        case .some(let refusal):
            let isForRoot = refusal.isOfRights && ThisProcess.effectiveUser != 0
            return OperatorError(
                "\(file) cannot be written: nothing can be made in the folder \(folder) (\(refusal)).",
                advice: isForRoot ? "Run it as root, or name a folder of this user." : "Name another folder.",
                exitCode: .stateProblem)
        }
    }

    /// Why nothing can be made beside `file`, which the store does not tell from what else can go wrong; `nil` when something
    /// can.
    private static func refusal(of file: String) -> SystemError? {
        do throws(SystemError) {
            _ = try FileWriter("\(file).\(Hex.encode(SecureRandom.bytes(8)))")
            return nil
        } catch {
            return error
        }
    }

    private static func write(
        _ archive: String, _ configuration: Configuration, _ file: ConfigurationFile, _ passphrase: Secret?,
        _ context: CommandContext
    ) async throws {
        var writer = try ArchiveWriter(archive)
        let copy = "\(archive).\(Hex.encode(SecureRandom.bytes(8))).store"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let made = context.now()
        try await Self.copyStore(of: configuration, to: copy, for: archive)
        let source = BackupSource(configuration, file: file)
        for file in source.plain { try writer.add(file.place, fileAt: file.path) }
        try writer.add(source.storePlace, fileAt: copy)
        let manifest = BackupManifest(
            format: BackupManifest.format, version: ServerProgram.version, made: made.timeText,
            entries: writer.entries, configuration: ConfigurationFile.name, store: source.storePlace.name,
            keyFolder: source.keys.name, keyPlace: source.keys.elsewhere, secretPlaces: source.secretPlaces,
            hasKeys: passphrase != nil)
        let text = Array(try JSONLine.text(of: manifest).utf8)
        try writer.add(BackupManifest.name, text)
        try writer.add(BackupManifest.digestName, BackupManifest.digestLine(of: text))
        if let passphrase {
            try writer.add(
                SealedFiles.name, try SealedFiles.seal(try source.secrets(), passphrase, manifest: text))
        }
        try writer.complete()
    }
}
