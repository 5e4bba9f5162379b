import Clientless
import CommandLineTool
import Cryptography

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
    private struct Entry {
        let mvpd: MVPDID
        let kind: any ProviderKind
        let point: DecisionPointSettings?

        var files: [ProviderFile] { self.kind.files + (self.point?.files ?? []) }
    }

    private let entries: [Entry]
    private let place: @Sendable (MVPDID, String?) -> String

    /// - Parameter place: names a provider's setting, or its entry, in the configuration.
    init(
        _ kinds: [MVPDID: any ProviderKind], _ points: [MVPDID: DecisionPointSettings] = [:],
        place: @escaping @Sendable (MVPDID, String?) -> String
    ) {
        self.place = place
        self.entries = kinds.map { Entry(mvpd: $0.key, kind: $0.value, point: points[$0.key]) }
            .sorted { $0.mvpd.text < $1.mvpd.text }
    }

    /// Those without a secret, as they are configured.
    var names: [String] { self.entries.flatMap { $0.files.filter { !$0.isSecret }.map(\.name) } }
    var secretNames: [String] { self.entries.flatMap { $0.files.filter(\.isSecret).map(\.name) } }

    /// The faults of them, as sentences that begin with the place.
    /// - Parameters:
    ///   - mvpd: the provider; all of them when `nil`.
    ///   - path: a configured path as the system takes it.
    func faults(of mvpd: MVPDID? = nil, path: (String) -> String) -> [String] {
        self.entries.filter { mvpd == nil || $0.mvpd == mvpd }.flatMap { entry -> [String] in
            var contents: [String: Secret] = [:]
            var faults: [String] = []
            for file in entry.files {
                do throws(OperatorError) {
                    contents[file.setting] = try Self.contents(of: file, path: path)
                } catch {
                    faults.append("\(self.place(entry.mvpd, file.setting)): \(error.sentence)")
                }
            }
            guard faults.isEmpty else { return faults }
            let sentences = entry.kind.faults(of: entry.mvpd, files: contents) + (entry.point?.faults(contents) ?? [])
            return sentences.map { "\(self.place(entry.mvpd, nil)): \($0)" }
        }
    }

    /// The content of one provider's files, by setting.
    /// - Throws: for the first that is missing, open to others or too long.
    func contents(of mvpd: MVPDID, path: (String) -> String) throws(OperatorError) -> [String: Secret] {
        var contents: [String: Secret] = [:]
        for file in self.entries.first(where: { $0.mvpd == mvpd })?.files ?? [] {
            do throws(OperatorError) {
                contents[file.setting] = try Self.contents(of: file, path: path)
            } catch {
                throw OperatorError(
                    "\(self.place(mvpd, file.setting)): \(error.sentence)", advice: error.advice,
                    exitCode: error.exitCode)
            }
        }
        return contents
    }

    /// The paths of one provider's secret files that are not there.
    func missingSecrets(of mvpd: MVPDID, path: (String) -> String) -> [String] {
        let files = self.entries.first { $0.mvpd == mvpd }?.files ?? []
        return files.filter(\.isSecret).map { path($0.name) }.filter { PrivateFiles.status($0) == nil }
    }

    private static func contents(
        of file: ProviderFile, path: (String) -> String
    ) throws(OperatorError) -> Secret {
        let path = path(file.name)
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
