import CommandLineTool
import Cryptography

/// The files of a set-up that a backup holds beside its store: those in the clear, and those with secrets.
struct BackupSource {
    struct File {
        let place: BackupPlace
        let path: String
    }

    /// The longest file with a secret, in bytes.
    private static let maximumSecret = 1 << 18

    private(set) var plain: [File] = []
    private var secret: [File] = []
    let storePlace: BackupPlace
    let keys: BackupPlace
    private let keyFolder: KeyFolder

    init(_ configuration: Configuration, file: ConfigurationFile) throws(OperatorError) {
        var number = 1
        func place(_ configured: String) -> BackupPlace {
            number += 1
            return BackupPlace(configured, number: number)
        }
        self.storePlace = BackupPlace(ofStore: configuration.store.file)
        self.keys = place(configuration.keys.folder)
        self.keyFolder = configuration.keyFolder
        self.plain.append(File(place: place(ConfigurationFile.name), path: file.path))
        for dropIn in try file.texts().dropIns {
            self.plain.append(File(place: place(dropIn.name), path: "\(file.folder)/\(dropIn.name)"))
        }
        let lives = configuration.store.file + "-lives"
        if PrivateFiles.status(configuration.path(lives)) != nil {
            self.plain.append(File(place: place(lives), path: configuration.path(lives)))
        }
        let named = configuration.catalogueFileNames + [configuration.server.certificateFile].compactMap(\.self)
        var seen: Set<String> = []
        for configured in named where seen.insert(configured).inserted {
            self.plain.append(File(place: place(configured), path: configuration.path(configured)))
        }
        let keyFiles =
            [configuration.server.certificateKeyFile, configuration.platform.decryptionKeyFile].compactMap(\.self)
            + configuration.providerFiles.filter(\.isSecret).map(\.name)
        for configured in keyFiles where seen.insert(configured).inserted {
            self.secret.append(File(place: place(configured), path: configuration.path(configured)))
        }
    }

    /// The configuration's places of files with secrets that cannot go back there by their names.
    var secretPlaces: [String: String] {
        var places: [String: String] = [:]
        for file in self.secret { places[file.place.name] = file.place.elsewhere }
        return places
    }

    /// Everything with a secret in it, by its path below the restored folder. Read after the store was copied: what it
    /// has sealed then opens.
    func secrets() throws(OperatorError) -> [String: Secret] {
        if let fault = self.keyFolder.faults().first { throw OperatorError(fault, exitCode: .keysUnusable) }
        var secrets: [String: Secret] = [:]
        for name in try self.keyFolder.fileNames() {
            secrets["\(self.keys.name)/\(name)"] = Secret(
                try PrivateFiles.read(self.keyFolder.file(name), limit: Self.maximumSecret))
        }
        for file in self.secret {
            secrets[file.place.name] = Secret(try PrivateFiles.read(file.path, limit: Self.maximumSecret))
        }
        return secrets
    }
}

extension KeyFolder {
    /// The names of all files that are keys.
    func fileNames() throws(OperatorError) -> [String] {
        var names = [Self.masterSecretFile]
        for use in KeyUse.allCases { names += try self.numbers(of: use).map(use.file.text) }
        return names + (try self.sealingNumbers()).map(Self.sealingName.text)
    }
}
