import Glibc

/// Users of the system by number and name.
package enum UnixUser {
    /// The name of a user.
    /// - Returns: `nil` when the system knows no user of this number.
    package static func name(of number: Int) -> String? {
        guard let number = uid_t(exactly: number) else { return nil }
        // sysconf(3) may know no bound; a record with its texts stays far below this one.
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        var record = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        // getpwuid_r(3): the texts lie in `buffer`, and `found` is NULL when there is no such user.
        let code = unsafe getpwuid_r(number, &record, &buffer, buffer.count, &found)
        guard code == 0, unsafe found != nil, let name = unsafe record.pw_name else { return nil }
        return unsafe String(cString: name)
    }
}
