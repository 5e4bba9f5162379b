import CommandLineTool
import Cryptography
import POSIX

/// The files of a set-up that a backup holds beside its store: those in the clear, and those with secrets.
struct BackupSource {
    /// The longest file with a secret, in bytes.
    private static let maximumSecret = 1 << 18

    private(set) var plain: [BackupPlace]
    /// The place of ``DocumentLivesFile``, if there is one.
    let lives: BackupPlace
    private let secret: [BackupPlace]
    let storePlace: BackupPlace
    let keys: BackupPlace
    private let keyFolder: KeyFolder

    init(_ configuration: Configuration, file: ConfigurationFile) throws(OperatorError) {
        var number = 1
        func place(_ configured: String) -> BackupPlace {
            number += 1
            return BackupPlace(configured, number: number, at: configuration.path(configured))
        }
        self.storePlace = BackupPlace(ofStore: configuration)
        self.keys = place(configuration.keys.folder)
        self.keyFolder = configuration.keyFolder
        self.plain = [BackupPlace(ConfigurationFile.name, number: number, at: file.path)]
        self.plain += try file.texts().dropIns.map { place($0.name) }
        let named = configuration.catalogueFileNames + [configuration.server.certificateFile].compactMap(\.self)
        let keyFiles =
            [configuration.server.certificateKeyFile, configuration.platform.decryptionKeyFile].compactMap(\.self)
            + configuration.providerFiles.filter(\.isSecret).map(\.name)
        var seen: Set<String> = []
        let names = (keyFiles + named).filter { seen.insert($0).inserted }
        // A file that holds a certificate and its key may have another name as the one than as the other.
        func version(_ name: String) -> FileVersion? { try? FileVersion(of: configuration.path(name)) }
        let versions = Set(keyFiles.compactMap(version))
        let secret = names.filter { keyFiles.contains($0) || version($0).map(versions.contains) == true }
        self.secret = secret.map(place)
        self.plain += names.filter { !secret.contains($0) }.map(place)
        self.lives = place(DocumentLivesFile(beside: configuration.store.file).path)
    }

    var secretPlaces: [String: String] {
        var places: [String: String] = [:]
        for file in self.secret { places[file.name] = file.elsewhere }
        return places
    }

    /// Everything with a secret in it, by its path below the restored folder. Read after the store was copied: what it
    /// has sealed then opens.
    func secrets() throws(OperatorError) -> [String: Secret] {
        if let fault = self.keyFolder.faults().first { throw OperatorError(fault, exitCode: .keysUnusable) }
        var secrets: [String: Secret] = [:]
        var names = [KeyFolder.masterSecretFile]
        for use in KeyUse.allCases { names += try self.keyFolder.numbers(of: use).map(use.file.text) }
        names += try self.keyFolder.sealingNumbers().map(KeyFolder.sealingName.text)
        for name in names {
            secrets["\(self.keys.name)/\(name)"] = Secret(
                try PrivateFiles.read(self.keyFolder.file(name), limit: Self.maximumSecret))
        }
        for file in self.secret {
            secrets[file.name] = Secret(try PrivateFiles.read(file.path, limit: Self.maximumSecret))
        }
        return secrets
    }
}
