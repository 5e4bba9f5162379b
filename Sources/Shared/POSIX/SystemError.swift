import Glibc

package struct SystemError: Error, Hashable, Sendable {
    /// The `errno` of the call.
    package let code: Int32

    /// The error that the last call left behind.
    static var last: SystemError { SystemError(code: errno) }

    package static let notFound = SystemError(code: ENOENT)
    package static let exists = SystemError(code: EEXIST)
    package static let tooLarge = SystemError(code: EFBIG)
    package static let locked = SystemError(code: EWOULDBLOCK)

    /// Whether another user may be allowed what this one is not.
    package var isOfRights: Bool { self.code == EACCES || self.code == EPERM }
}

extension SystemError: CustomStringConvertible {
    /// The meaning, as the rest of a sentence about a file or folder.
    package var description: String {
        switch self.code {
        case ENOENT: "there is no such file or folder"
        case ENOTDIR: "a part of the path is no folder"
        case EACCES, EPERM: "permission denied"
        case ENOSPC, EDQUOT: "the disk is full"
        case EROFS: "the file system is read-only"
        case EEXIST: "it exists already"
        case EISDIR: "it is a folder"
        case EFBIG: "it is too large"
        case ENAMETOOLONG: "the name is too long"
        case ELOOP: "its links lead in a circle"
        case EWOULDBLOCK: "another program holds it"
        default: "the system refuses it (error \(self.code))"
        }
    }
}
