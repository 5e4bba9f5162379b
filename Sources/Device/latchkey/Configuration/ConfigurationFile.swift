import CommandLineTool
import FoundationEssentials
import JSON5
import POSIX

/// The configuration file as it was read.
struct ConfigurationFile {
    private static let limit = 256 << 10

    let path: String
    let members: [String: JSON5Value]
    /// Whether other users can read it.
    let isOpenToOthers: Bool
    /// Members that stand there twice, of which a decoder drops one.
    let repeated: [String]

    /// - Throws: without a file, and for one that cannot be read or is not JSON5.
    init(_ path: String) throws(ConfigurationFaults) {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try WholeFile.read(path, limit: Self.limit)
            let status = try FileStatus(of: path, followsLinks: true)
            // As a package leaves it: the agent's group may read what root alone may change.
            self.isOpenToOthers = status.isOpenToOthers && !status.isReadByGroupOfRoot
        } catch {
            switch error {
            case .notFound:
                throw ConfigurationFaults(
                    faults: [
                        "There is no configuration: \(path) cannot be read: \(error).",
                        "'latchkey init' makes it from what the server's operator gives you.",
                    ], isMissing: true)
            case .tooLarge: throw ConfigurationFaults(faults: ["\(path) is larger than 256 KiB."])
            default: throw ConfigurationFaults(faults: ["\(path) cannot be read: \(error)."])
            }
        }
        let places = JSON5Places(bytes)
        if let broken = places.broken {
            throw ConfigurationFaults(
                faults: [
                    "\(path) is not JSON5. Line \(broken.line), column \(broken.column): "
                        + terminalSafe("\(broken.path) \(broken.sentence)", limit: 300) + "."
                ])
        }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let mark = bytes.starts(with: JSON5Places.byteOrderMark) ? 3 : 0
        guard let value = try? decoder.decode(JSON5Value.self, from: Data(bytes.dropFirst(mark))) else {
            throw ConfigurationFaults(faults: ["\(path) is not JSON5."])
        }
        guard case .object(let members) = value else {
            throw ConfigurationFaults(faults: ["\(path) must be one group in braces."])
        }
        self.path = path
        self.members = members
        self.repeated = places.repeated.map {
            "\(path): \(terminalSafe($0.path.text, limit: 64)) is given twice, again on line \($0.line)."
        }
    }
}
