import Clientless
import CommandLineTool
import Cryptography
import Entitlement

/// A file that belongs to the settings of a TV provider, or of something else that the server calls with secrets.
struct ProviderFile: Hashable, Sendable {
    /// The setting that names it, such as `clientSecret`.
    let setting: String
    /// As it is configured.
    let name: String
    /// Others than the server's user may not read it.
    let isSecret: Bool
    /// The most bytes.
    var limit: Int { self.isSecret ? 65_536 : 1 << 20 }

    /// - Returns: `nil` for a setting that is left out.
    init?(_ setting: String, _ name: String?, isSecret: Bool = false) {
        guard let name else { return nil }
        (self.setting, self.name, self.isSecret) = (setting, name, isSecret)
    }
}

extension Configuration {
    /// The files of all TV providers, in the order of the providers' IDs, and those of notices about boxes.
    var providerFiles: [ProviderFile] {
        self.providers.sorted { $0.key.text < $1.key.text }.flatMap(\.value.files) + (self.boxes.newBox?.files ?? [])
    }

    /// The faults of one provider's files, as sentences that begin with the place.
    func fileFaults(of provider: ConfiguredProvider) -> [String] {
        let id = provider.mvpd.id
        let (contents, faults) = self.read(provider.files, of: id)
        guard faults.isEmpty else { return faults.map(\.sentence) }
        let sentences = provider.kind.faults(of: id, files: contents) + (provider.point?.faults(contents) ?? [])
        return sentences.map { "\(self.place(of: nil, of: id)): \($0)" }
    }

    /// The content of one provider's files, by setting.
    /// - Throws: for the first that is missing, open to others or too long.
    func fileContents(of mvpd: MVPDID) throws(OperatorError) -> [String: Secret] {
        let (contents, faults) = self.read(self.providers[mvpd]?.files ?? [], of: mvpd)
        if let first = faults.first { throw first }
        return contents
    }

    private func read(
        _ files: [ProviderFile], of mvpd: MVPDID
    ) -> (contents: [String: Secret], faults: [OperatorError]) {
        var contents: [String: Secret] = [:]
        var faults: [OperatorError] = []
        for file in files {
            do throws(OperatorError) {
                contents[file.setting] = try self.content(of: file)
            } catch {
                faults.append(error.at(self.place(of: file.setting, of: mvpd)))
            }
        }
        return (contents, faults)
    }

    func content(of file: ProviderFile) throws(OperatorError) -> Secret {
        let path = self.path(file.name)
        if file.isSecret {
            // The name may be a secret in the wrong place, which is in no message.
            guard PrivateFiles.status(path) != nil else {
                throw OperatorError(
                    "There is no file of this name. The setting names a file that holds the secret; it does not take "
                        + "the secret itself.", exitCode: .configuration)
            }
            try PrivateFiles.requireClosed(path)
        }
        return Secret(Array(try PrivateFiles.read(path, limit: file.limit)))
    }
}
