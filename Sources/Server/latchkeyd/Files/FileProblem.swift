import FoundationEssentials
import Glibc

/// Says in words why a file could not be read or written.
enum FileProblem {
    /// The reason behind an error of FoundationEssentials' file functions, as the rest of a sentence.
    static func reason(_ error: any Error) -> String {
        guard let error = error as? CocoaError else { return "the system refuses it" }
        return switch error.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: Self.reason(ENOENT)
        case .fileReadNoPermission, .fileWriteNoPermission: Self.reason(EACCES)
        case .fileWriteOutOfSpace: Self.reason(ENOSPC)
        case .fileWriteVolumeReadOnly: Self.reason(EROFS)
        case .fileWriteFileExists: Self.reason(EEXIST)
        case .fileReadInvalidFileName, .fileWriteInvalidFileName: Self.reason(ENAMETOOLONG)
        default: "the system refuses it"
        }
    }

    /// The meaning of an `errno`, as the rest of a sentence.
    static func reason(_ number: Int32) -> String {
        switch number {
        case ENOENT, ENOTDIR: "there is no such file or folder"
        case EACCES, EPERM: "permission denied"
        case ENOSPC, EDQUOT: "the disk is full"
        case EROFS: "the file system is read-only"
        case EEXIST: "it exists already"
        case EISDIR: "it is a folder"
        case ENAMETOOLONG: "the name is too long"
        case ELOOP: "its links lead in a circle"
        default: "the system refuses it (error \(number))"
        }
    }
}
