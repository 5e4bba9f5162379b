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
    private let kinds: [(mvpd: MVPDID, kind: any ProviderKind)]

    init(_ kinds: [MVPDID: any ProviderKind]) {
        self.kinds = kinds.map { (mvpd: $0.key, kind: $0.value) }.sorted { $0.mvpd.text < $1.mvpd.text }
    }

    /// All of them, as they are configured.
    var names: [String] { self.kinds.flatMap { $0.kind.files.map(\.name) } }

    /// What is wrong with them, as sentences that begin with the setting.
    /// - Parameter path: a configured path as the system takes it.
    func faults(path: (String) -> String) -> [String] {
        self.kinds.flatMap { mvpd, kind -> [String] in
            var contents: [String: Secret] = [:]
            var faults: [String] = []
            for file in kind.files {
                do throws(OperatorError) {
                    contents[file.setting] = try Self.contents(of: file, path: path)
                } catch {
                    faults.append("providers \(mvpd), \(file.setting): \(error.sentence)")
                }
            }
            guard faults.isEmpty else { return faults }
            return kind.faults(of: mvpd, files: contents).map { "providers \(mvpd): \($0)" }
        }
    }

    /// What is in the files of one provider, by setting.
    /// - Throws: for the first that is missing, open to others or too long.
    func contents(of mvpd: MVPDID, path: (String) -> String) throws(OperatorError) -> [String: Secret] {
        var contents: [String: Secret] = [:]
        for file in self.kinds.first(where: { $0.mvpd == mvpd })?.kind.files ?? [] {
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
