import Clientless
import CommandLineTool
import Cryptography
import Entitlement

/// A file that belongs to the settings of a TV provider.
struct ProviderFile: Hashable, Sendable {
    /// The setting that names it, such as `clientSecret`.
    let setting: String
    /// As it is configured.
    let name: String
    /// Others than the server's user may not read it.
    let isSecret: Bool
    /// The most bytes.
    var limit = 65_536
}

/// The files of all TV providers.
struct ProviderFiles: Sendable {
    private let files: [(mvpd: MVPDID, files: [ProviderFile])]

    init(_ kinds: [MVPDID: any ProviderKind]) {
        self.files = kinds.map { (mvpd: $0.key, files: $0.value.files) }.sorted { $0.mvpd.text < $1.mvpd.text }
    }

    /// All of them, as they are configured.
    var names: [String] { self.files.flatMap { $0.files.map(\.name) } }

    /// What is wrong with them, as sentences that begin with the setting.
    /// - Parameter path: a configured path as the system takes it.
    func faults(path: (String) -> String) -> [String] {
        self.files.flatMap { mvpd, files in
            files.compactMap { file in
                do throws(OperatorError) {
                    _ = try Self.contents(of: file, path: path)
                    return nil
                } catch {
                    return "providers \(mvpd), \(file.setting): \(error.sentence)"
                }
            }
        }
    }

    /// What is in the files of one provider, by setting.
    /// - Throws: for the first that is missing, open to others or too long.
    func contents(of mvpd: MVPDID, path: (String) -> String) throws(OperatorError) -> [String: Secret] {
        var contents: [String: Secret] = [:]
        for file in self.files.first(where: { $0.mvpd == mvpd })?.files ?? [] {
            contents[file.setting] = try Self.contents(of: file, path: path)
        }
        return contents
    }

    private static func contents(
        of file: ProviderFile, path: (String) -> String
    ) throws(OperatorError) -> Secret {
        let path = path(file.name)
        if file.isSecret { try PrivateFiles.requireClosed(path) }
        return Secret(Array(try PrivateFiles.read(path, limit: file.limit)))
    }
}
