package import CommandLineTool
package import FoundationEssentials
import POSIX

/// The configuration as files: one, and ``DropIn`` beside it.
package struct ConfigurationFile: Sendable {
    package static let name = "latchkeyd.json5"

    /// The places where it is looked for, in this order, when no option says where it is.
    package static let usualPlaces = [
        "./latchkeyd.json5", "./latchkeyd/latchkeyd.json5", "/etc/latchkeyd/latchkeyd.json5",
    ]

    package static let option = CommandOption.value("config", "FILE", "The configuration")

    /// As it was given or found.
    package let path: String

    package init(path: String) { self.path = path }

    /// The file that is given, or that `LATCHKEYD_CONFIG` or one of ``usualPlaces`` names.
    package static func locate(given: String?, _ context: CommandContext) throws -> ConfigurationFile {
        if let path = given ?? context.environment["LATCHKEYD_CONFIG"].flatMap({ $0.isEmpty ? nil : $0 }) {
            return ConfigurationFile(path: path)
        }
        guard let path = Self.usualPlaces.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            let folder = "/etc/latchkeyd"
            // A file in a folder that is shut to this user is not there for it.
            if FileManager.default.fileExists(atPath: folder), !FileManager.default.isExecutableFile(atPath: folder) {
                throw OperatorError(
                    "The configuration in \(folder) is not for this user.",
                    advice: "Run the command as root, such as with sudo, or name another one with --config FILE.",
                    exitCode: .configuration)
            }
            throw OperatorError(
                "There is no configuration at \(Self.usualPlaces.joined(separator: ", ")).",
                advice: "Say where it is with --config FILE, make one with 'latchkeyd init', or put back a backup with "
                    + "'latchkeyd restore'.",
                exitCode: .configuration)
        }
        return ConfigurationFile(path: path)
    }

    /// - Throws: `OperatorError` when it cannot be read, `ConfigurationFaults` with everything that is wrong in it.
    package func read() throws -> Configuration {
        let (text, dropIns) = try self.texts()
        return try Configuration(text: text, dropIns, folder: self.folder)
    }

    /// The text of the file, and of those of single providers and requestors beside it.
    package func texts() throws(OperatorError) -> (main: Data, dropIns: [DropIn]) {
        do {
            return (try PrivateFiles.read(self.path, limit: Configuration.maximumSize), try DropIn.all(in: self.folder))
        } catch {
            var advice = error.advice
            if self.isMissing {
                advice = "Make one with 'latchkeyd init', or put back a backup with 'latchkeyd restore'."
            } else if !FileManager.default.isReadableFile(atPath: self.path) {
                advice = "Run the command as root, such as with sudo, or as the server's user."
            }
            throw OperatorError(error.sentence, advice: advice, exitCode: .configuration)
        }
    }

    private var isMissing: Bool {
        do throws(SystemError) {
            _ = try FileStatus(of: self.path, followsLinks: true)
            return false
        } catch {
            return error == .notFound
        }
    }

    var folder: String { Folder.trimmed(URL(filePath: self.path).deletingLastPathComponent().path) }
}
