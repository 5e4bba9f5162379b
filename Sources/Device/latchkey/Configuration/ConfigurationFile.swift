import CommandLineTool
import FoundationEssentials
import POSIX

/// The configuration file as it was read.
struct ConfigurationFile {
    private static let limit = 256 << 10

    let tree: ConfigurationTree
    /// Whether other users can read it.
    let isOpenToOthers: Bool

    /// - Throws: without a file, and for one that cannot be read or is not JSON5.
    init(_ path: String) throws(SettingsFaults) {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try WholeFile.read(path, limit: Self.limit)
            let status = try FileStatus(of: path, followsLinks: true)
            // As a package leaves it: the agent's group may read what root alone may change.
            self.isOpenToOthers = status.isOpenToOthers && !status.isReadByGroupOfRoot
        } catch {
            switch error {
            case .notFound:
                throw SettingsFaults(
                    faults: [
                        "There is no configuration: \(path) cannot be read: \(error).",
                        "'latchkey init' makes it from what the server's operator gives you.",
                    ], isMissing: true)
            case .tooLarge: throw SettingsFaults(faults: ["\(path) is larger than 256 KiB."])
            default: throw SettingsFaults(faults: ["\(path) cannot be read: \(error)."])
            }
        }
        do throws(ConfigurationFaults) {
            self.tree = try ConfigurationTree(text: Data(bytes), limit: Self.limit)
        } catch {
            throw SettingsFaults(faults: Self.sentences(error.faults, path))
        }
    }

    /// Faults with the file that they are in.
    static func sentences(_ faults: [ConfigurationFault], _ path: String) -> [String] {
        faults.map { "\(path): \(terminalSafe($0.description, limit: 400))" }
    }
}

/// Everything that is wrong with the settings, each with its place.
struct SettingsFaults: Error, CustomStringConvertible {
    let faults: [String]
    /// Whether there is no configuration at all.
    var isMissing = false

    var description: String {
        if self.isMissing { return self.faults.joined(separator: " ") }
        return self.faults.count == 1
            ? "The configuration is not right. \(self.faults[0])"
            : "The configuration is not right:\n" + self.faults.map { "  \($0)" }.joined(separator: "\n")
    }
}
