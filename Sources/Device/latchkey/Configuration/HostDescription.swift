import AccessEnabler
import CommandLineTool
import POSIX

/// The description of the box, beside the facts that the library finds out itself.
enum HostDescription {
    static let programVersion = CommandLineProgram.releasedVersion

    /// - Parameters:
    ///   - model: wins over what the system says.
    ///   - name: wins over the host's name.
    static func clientInformation(model: String?, name: String?) -> AccessEnabler.ClientInformation {
        var information = AccessEnabler.ClientInformation()
        information.model = model
        information.name = name ?? Self.hostName()
        information.applicationID = "latchkey/\(programVersion)"
        return information
    }

    private static func hostName() -> String? {
        let text = (try? WholeFile.read("/proc/sys/kernel/hostname", limit: 4096)).map {
            String(decoding: $0, as: UTF8.self)
        }
        return text?.split(whereSeparator: \.isNewline).first.map { String($0) }
    }
}
