import FoundationEssentials
import POSIX

/// The name in the audit log of the person who ran a command: `1000:anna`, the number and name of a user of this
/// machine.
package enum CommandActor {
    static let text = Self.text(
        of: ThisProcess.effectiveUser, UnixUser.name(of: ThisProcess.effectiveUser),
        environment: ProcessInfo.processInfo.environment)

    /// The longest name, in bytes.
    private static let maximumName = 64

    /// - Parameter environment: believed about sudo only when the process is root's: other users may have set it.
    package static func text(of user: Int, _ name: String?, environment: [String: String]) -> String {
        if user == 0, let text = environment["SUDO_UID"], let number = UInt32(text), number != 0 {
            return Self.text(Int(number), environment["SUDO_USER"]) + " (sudo)"
        }
        return Self.text(user, name)
    }

    private static func text(_ number: Int, _ name: String?) -> String {
        let isPlain = name.map {
            !$0.isEmpty && $0.utf8.count <= Self.maximumName && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }
        return isPlain == true ? "\(number):\(name ?? "")" : "\(number)"
    }
}
