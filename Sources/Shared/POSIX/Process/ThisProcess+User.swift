import CLinux
import Glibc

extension ThisProcess {
    /// A user of the system.
    package struct User: Hashable, Sendable {
        package let number: Int
        /// `nil` when the system does not know the number.
        package let name: String?

        package init(number: Int, name: String?) {
            self.number = number
            self.name = name
        }
    }

    /// The user whose rights the process has.
    package static var user: User {
        let number = Int(geteuid())
        return User(number: number, name: UnixUser.name(of: number))
    }

    /// Keeps other processes of the same user from reading its memory, and the system from writing it to a file when
    /// it crashes.
    package static func keepMemoryPrivate() {
        // prctl(2), PR_SET_DUMPABLE: it fails only for other values than 0 and 1.
        clinux_forbid_dumps()
    }
}
