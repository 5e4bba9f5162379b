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
        let number = geteuid()
        // sysconf(3) may know no bound; a record with its texts stays far below this one.
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        var record = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        // getpwuid_r(3): the texts lie in `buffer`, and `found` is NULL when there is no such user.
        let code = unsafe getpwuid_r(number, &record, &buffer, buffer.count, &found)
        guard code == 0, unsafe found != nil, let name = unsafe record.pw_name else {
            return User(number: Int(number), name: nil)
        }
        return User(number: Int(number), name: unsafe String(cString: name))
    }

    /// Keeps other processes of the same user from reading its memory, and the system from writing it to a file when
    /// it crashes.
    package static func keepMemoryPrivate() {
        // prctl(2), PR_SET_DUMPABLE: it fails only for other values than 0 and 1.
        clinux_forbid_dumps()
    }
}
