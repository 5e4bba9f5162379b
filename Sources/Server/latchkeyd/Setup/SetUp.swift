package import CommandLineTool
package import Clientless
package import Entitlement
import FoundationEssentials
package import HTTPServer
import POSIX

/// Makes what a server needs to start: a folder with keys, a store and a commented configuration (`latchkeyd init`).
package struct SetUp: Sendable {
    package let folder: String
    /// Scheme, host and port people and boxes will use.
    package let publicURL: String
    package let listen: HTTPListenerAddress
    /// `nil` for the usual name in ``folder``.
    private let store: String?

    /// - Parameter store: an absolute path, if the server may write although it may not in `folder`.
    /// - Throws: when `publicURL` is not an address of the web without a path.
    package init(
        folder: String, publicURL: String, listen: HTTPListenerAddress, store: String? = nil
    ) throws(OperatorError) {
        let origin = SettingKind<String>.origin
        guard origin.read(.text(publicURL)) != nil else {
            throw OperatorError("The public URL must be \(origin.expects).", exitCode: .usage)
        }
        self.folder = folder
        self.store = store
        self.publicURL = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
        self.listen = listen
    }

    package var configurationFile: String { "\(self.folder)/\(ConfigurationFile.name)" }
    package var keyFolder: KeyFolder { KeyFolder("\(self.folder)/\(KeySettings.defaultFolder)") }
    package var storeFile: String { self.store ?? "\(self.folder)/\(StoreSettings.defaultFile)" }

    /// Makes everything or, when something fails, nothing. It makes first what the rest needs, and the configuration
    /// last: a folder that has one is complete.
    ///
    /// - Parameter fill: puts the first records into the store, and makes further files through its last parameter.
    /// - Throws: when there is a set-up already, or the folder cannot be written.
    package func make(
        settings: [String: JSON5Value], dropIns: [DropIn] = [], now: Timestamp,
        fill: (Administration, KeyFolder, MadeFiles) async throws -> Void = { _, _, _ in }
    ) async throws {
        for path in [self.configurationFile, "\(self.folder)/\(DropIn.folder)", self.keyFolder.path, self.storeFile]
        where PrivateFiles.status(path) != nil {
            throw OperatorError(
                "There is a set-up already: \(path) exists.",
                advice: "Nothing was changed. Take another folder with --folder, or move the old one aside.")
        }
        let text = Data(self.configurationText(settings).utf8)
        _ = try Configuration(text: text, dropIns, folder: self.folder)
        let made = MadeFiles()
        do {
            try made.folder(self.folder)
            try made.folder(self.keyFolder.path)
            try self.keyFolder.create(now: now)
            try await self.makeStore(made, now: now, fill)
            for dropIn in dropIns {
                let file = "\(self.folder)/\(dropIn.name)"
                for folder in [Folder.containing(Folder.containing(file)), Folder.containing(file)] {
                    try made.folder(folder)
                }
                try made.file(file, dropIn.text)
            }
            try made.file(self.configurationFile, text)
        } catch {
            made.remove()
            throw error
        }
    }

    private func makeStore(
        _ made: MadeFiles, now: Timestamp,
        _ fill: (Administration, KeyFolder, MadeFiles) async throws -> Void
    ) async throws {
        // The files that SQLite keeps beside a store are gone once it is closed, unless that fails.
        for ending in ["", "-wal", "-shm"] { made.add(self.storeFile + ending) }
        let store = try await StoreAccess.make(self.storeFile)
        do {
            // The configuration is still empty, so the filled-in account is of no provider and no requestor.
            let administration = Administration(
                catalogue: Catalogue(requestors: [], mvpds: []), store: store,
                keys: try self.keyFolder.serverKeys(now: now))
            try await fill(administration, self.keyFolder, made)
            await store.close()
        } catch {
            await store.close()
            throw error
        }
    }

    private func configurationText(_ settings: [String: JSON5Value]) -> String {
        var fields = settings
        func add(_ key: String, _ usual: [String: JSON5Value]) {
            guard case .object(let given) = settings[key] else { return fields[key] = .object(usual) }
            fields[key] = .object(usual.merging(given) { $1 })
        }
        add("server", ["publicURL": .text(self.publicURL), "listen": .list([.text(self.listen.description)])])
        // Written down, so that statements stay valid when the public URL changes.
        add("calls", ["issuer": .text(URLComponents(string: self.publicURL)?.host ?? self.publicURL)])
        if let store = self.store { fields["store"] = .object(["file": .text(store)]) }
        return SettingsTemplate.text(of: Configuration.described(fields), heading: Self.heading)
    }

    private static let heading = [
        "The configuration of latchkeyd, in JSON5. Lines behind // that name a setting show its default.",
        "Each file of latchkeyd.d/providers and latchkeyd.d/requestors has one more entry of the list of that name;",
        "'latchkeyd provider' and 'latchkeyd requestor' write such files, and never change this one.",
        "After a change run 'latchkeyd check-config', then 'systemctl reload', or 'restart' for log, store, pairing,",
        "platform, console, boxes.newBox, keys.folder and server except publicURL, trustedProxies and the certificate.",
    ]
}
