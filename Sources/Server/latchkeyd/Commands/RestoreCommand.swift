import CommandLineTool
import Cryptography
import Entitlement
import FoundationEssentials
import POSIX

enum RestoreCommand {
    static let command = ServerCommand(
        .nothing, "restore", "Put a backup back into an empty folder",
        discussion: [
            "Restores everything or nothing, and never changes an existing set-up. Lists what was restored, and "
                + "what is valid again although you may have revoked it after the backup.",
            "Servers and commands write each revocation and each used set-up code to a list beside the store. With "
                + "--revoked the command applies that list at once. A server that finds the list beside its store "
                + "applies it when it starts.",
            "Before you start the server, revoke again what you revoked after the backup. Never run it beside the "
                + "server that the backup is from.",
        ],
        options: [
            .value("folder", "DIR", "Where to put it; must be empty or not there"), Passphrase.option,
            .flag("without-keys", "Leave the keys in the backup"),
            .value("revoked", "FILE", "Revoke again what is in this list, the old store's file name with -revoked"),
        ],
        operands: [CommandOperand("BACKUP", "The folder that 'latchkeyd backup' made")],
        examples: [
            "latchkeyd restore --folder /etc/latchkeyd /root/latchkeyd-backup": "asks for the passphrase"
        ],
        also: [.invalidData, .keysUnusable, .stateProblem]
    ) { arguments, call in
        try arguments.requireAtMostOne(of: "without-keys", "passphrase-file")
        let folder = Folder.trimmed(try arguments.required("folder"))
        let manager = FileManager.default
        let revoked = try arguments.value("revoked").map { (file) throws(OperatorError) in
            try EndingsFile.read(file)
        }
        let isNew = PrivateFiles.status(folder) == nil
        guard isNew || (try? manager.contentsOfDirectory(atPath: folder))?.isEmpty == true else {
            let configuration = try? ConfigurationFile(path: "\(folder)/\(ConfigurationFile.name)").read()
            let isInUse = configuration?.isStoreFileInUse == true
            throw OperatorError(
                "The folder \(folder) is not empty\(isInUse ? ", and a server uses its store" : "").",
                advice: "Nothing was restored. Take another folder, or stop the server (systemctl stop latchkeyd) and "
                    + "then move aside what is in this one.",
                exitCode: .stateProblem)
        }
        try PrivateFiles.makeFolder(folder)
        do {
            let restored = try Self.copy(arguments.operands[0], to: folder, call)
            try await Self.report(restored, in: folder, revoked, call)
        } catch {
            for name in (try? manager.contentsOfDirectory(atPath: folder)) ?? [] {
                try? manager.removeItem(atPath: "\(folder)/\(name)")
            }
            if isNew { try? manager.removeItem(atPath: folder) }
            throw error
        }
    }

    /// The paths of the files with secrets are empty when they were left out.
    private typealias Restored = (manifest: BackupManifest, secrets: [String])

    /// Copies every file below `folder`, and holds it against the manifest. It does not trust the backup: names stay in
    /// their folder, links are not followed.
    private static func copy(_ backup: String, to folder: String, _ call: CommandCall) throws -> Restored {
        let source = try Source(folder: backup)
        let (manifest, text) = try source.manifest()
        var secrets: [String: Secret] = [:]
        if manifest.hasKeys, !call.arguments.has("without-keys") {
            // Asked for before anything is copied: who ends the command here leaves no part of a set-up.
            let sealed = try source.read(SealedFiles.name, limit: SealedFiles.maximumSize)
            guard let files = SealedFiles.open(sealed, try Passphrase.known(call), manifest: text) else {
                throw OperatorError(
                    "The passphrase does not open the keys, or the backup was changed.",
                    advice: "Nothing was restored.", exitCode: .invalidData)
            }
            secrets = files
        }
        for entry in manifest.entries { try source.copy(entry, to: try Self.path(entry.name, in: folder)) }
        for (name, content) in secrets { try PrivateFiles.create(try Self.path(name, in: folder), content) }
        return (manifest, secrets.keys.sorted())
    }

    private struct Source {
        let folder: String

        /// - Parameter name: the file of it that is missing, or not as it was.
        func damaged(_ name: String) -> OperatorError {
            OperatorError(
                "\(self.folder) is no complete backup of latchkeyd, or is damaged: \(terminalSafe(name, limit: 100)) is "
                    + "missing or was changed.",
                advice: "Nothing was restored. Take an older backup.", exitCode: .invalidData)
        }

        init(folder: String) throws(OperatorError) {
            guard let status = PrivateFiles.status(folder), status.isFolder else {
                throw OperatorError(
                    "\(folder) is no folder.",
                    advice:
                        "Nothing was restored. Name the folder that 'latchkeyd backup' made; unpack an archive of it first.",
                    exitCode: .invalidData)
            }
            let backups = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
                PrivateFiles.status("\(folder)/\($0)/\(BackupManifest.name)") != nil
            }
            if PrivateFiles.status("\(folder)/\(BackupManifest.name)") == nil, let newest = backups.max() {
                throw OperatorError(
                    "\(folder) is no backup itself, but has backups in it.",
                    advice: "Nothing was restored. Take one of the folders in it, such as "
                        + "\(folder)/\(terminalSafe(newest, limit: 100)).", exitCode: .invalidData)
            }
            self.folder = folder
        }

        func read(_ name: String, limit: Int) throws(OperatorError) -> [UInt8] {
            let path = "\(self.folder)/\(name)"
            guard PrivateFiles.status(path)?.isRegularFile == true else { throw self.damaged(name) }
            return Array(try PrivateFiles.read(path, limit: limit))
        }

        func manifest() throws(OperatorError) -> (BackupManifest, text: [UInt8]) {
            let text = try self.read(BackupManifest.name, limit: BackupManifest.maximumSize)
            let digest = try self.read(BackupManifest.digestName, limit: BackupManifest.maximumSize)
            guard digest == BackupManifest.digestLine(of: text),
                let manifest = try? JSONDecoder().decode(BackupManifest.self, from: Data(text))
            else { throw self.damaged(BackupManifest.name) }
            guard manifest.format == BackupManifest.format else {
                throw OperatorError(
                    "The backup was made by a newer latchkeyd.", advice: "Restore it with that version.",
                    exitCode: .invalidData)
            }
            let names = Set(manifest.entries.map(\.name))
            guard names.count == manifest.entries.count, names.contains(manifest.store),
                names.contains(manifest.configuration), BackupPlace.isSafe(manifest.keyFolder)
            else { throw self.damaged(BackupManifest.name) }
            return (manifest, text)
        }

        func copy(_ entry: BackupManifest.Entry, to target: String) throws(OperatorError) {
            let parts = entry.name.split(separator: "/")
            for count in 1..<parts.count {
                let above = "\(self.folder)/\(parts.prefix(count).joined(separator: "/"))"
                guard PrivateFiles.status(above)?.isFolder == true else { throw self.damaged(entry.name) }
            }
            let path = "\(self.folder)/\(entry.name)"
            guard PrivateFiles.status(path)?.isRegularFile == true,
                try BackupFiles.copy(path, to: target) == (entry.size, entry.digest)
            else { throw self.damaged(entry.name) }
        }
    }

    /// The path of a file of the backup, whose folder is made.
    private static func path(_ name: String, in folder: String) throws(OperatorError) -> String {
        guard BackupPlace.isSafe(name, limit: 200) else {
            throw OperatorError("The backup names a file outside its folder.", exitCode: .invalidData)
        }
        let path = "\(folder)/\(name)"
        try PrivateFiles.makeFolder(URL(filePath: path).deletingLastPathComponent().path)
        return path
    }

    /// Every file that was restored, and the place that the configuration names if it belongs elsewhere.
    private static func files(_ restored: Restored, hasEndings: Bool) -> [(name: String, place: String?)] {
        let manifest = restored.manifest
        var files = manifest.entries.map { (name: $0.name, place: $0.place) }
        if hasEndings, let store = files.first(where: { $0.name == manifest.store }) {
            files.append((EndingsFile(beside: store.name).path, store.place.map { EndingsFile(beside: $0).path }))
        }
        return files + restored.secrets.map { ($0, manifest.secretPlaces?[$0]) }
    }

    private static func report(
        _ restored: Restored, in folder: String, _ revoked: [Ending]?, _ call: CommandCall
    ) async throws {
        let manifest = restored.manifest
        var lines = [
            "The backup of \(terminalSafe(manifest.made, limit: 40)), made by latchkeyd "
                + "\(terminalSafe(manifest.version, limit: 40)), is in \(folder):"
        ]
        let files = Self.files(restored, hasEndings: revoked?.isEmpty == false)
        lines += files.map { "  \($0.name)" }
        let moves =
            files.compactMap { file in file.place.map { (file.name, $0) } }
            + (manifest.keyPlace.map { restored.secrets.isEmpty ? [] : [(manifest.keyFolder, $0)] } ?? [])
        if !moves.isEmpty {
            lines.append("The configuration has these elsewhere; put them there, or change it:")
            lines += moves.map { "  \(folder)/\($0.0) -> \(terminalSafe($0.1, limit: 400))" }
            // A store goes together with the files beside it.
            let old = moves.flatMap { [$0.1, "\($0.1)-wal", "\($0.1)-shm"] }.filter {
                PrivateFiles.status($0.hasPrefix("/") ? $0 : "\(folder)/\($0)") != nil
            }
            if !old.isEmpty {
                lines.append("These exist. Stop their server and move them aside first; copy over none of them:")
                lines += old.map { "  \(terminalSafe($0, limit: 400))" }
            }
        }
        if restored.secrets.isEmpty {
            lines.append(
                "The keys are not there. Put yours at \(folder)/\(manifest.keyFolder) before you start it. The secrets of TV "
                    + "providers go where the configuration has them.")
        }
        lines += try await Self.inventory(of: restored, in: folder, revoked, call)
        try call.result(lines.joined(separator: "\n"))
        call.say(
            "When all is in its place, look at it with 'latchkeyd check --config \(folder)/\(manifest.configuration)' "
                + "before it is started.")
        guard manifest.hasKeys else { return }
        call.say(
            "Put the passphrase of backups back at /etc/latchkeyd/backup.passphrase: without it latchkeyd-backup.timer "
                + "makes backups without the keys.")
    }

    /// The endings repeated in the restored store, and what it lets in, once it is found whole.
    private static func inventory(
        of restored: Restored, in folder: String, _ revoked: [Ending]?, _ call: CommandCall
    ) async throws -> [String] {
        let file = "\(folder)/\(restored.manifest.store)"
        // Kept beside the store: its server, and another restore, look there.
        if let revoked, !revoked.isEmpty { try EndingsFile(beside: file).add(revoked) }
        guard let store = try await StoreAccess.openRestored(file) else {
            return ["The store is an older version's; 'latchkeyd migrate' and 'latchkeyd serve' bring it up to date."]
        }
        do {
            let now = call.now
            if let damage = try await store.integrityCheck().first {
                throw OperatorError(
                    "The store in the backup is damaged (\(terminalSafe(damage, limit: 200))).",
                    advice: "Nothing was restored. Take an older backup.", exitCode: .invalidData)
            }
            if !restored.secrets.isEmpty {
                let keys = KeyFolder("\(folder)/\(restored.manifest.keyFolder)")
                let administration = Administration(
                    catalogue: Catalogue(requestors: [], mvpds: []), store: store, keys: try keys.serverKeys(now: now))
                try await KeyFit.require(of: keys.path, for: administration)
            }
            let ended = try await Endings(store).endAgain(revoked ?? [], actor: CommandActor.text, now: now)
            let inventory = try await RestoredInventory.lines(
                of: store, since: terminalSafe(restored.manifest.made, limit: 40), hasList: revoked != nil, now: now)
            await store.closeAsCopy()
            return (ended.isEmpty ? [] : ["Ended again, as it was before:"] + ended.map { "  \($0.sentence)" })
                + inventory
        } catch {
            await store.closeAsCopy()
            throw StoreProblem.described(error, file: file)
        }
    }
}
