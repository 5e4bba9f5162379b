import FoundationEssentials

/// Says in words why a file could not be read or written.
enum FileProblem {
    /// The reason behind an error of FoundationEssentials' file functions, as the rest of a sentence.
    static func reason(_ error: any Error) -> String {
        guard let error = error as? CocoaError else { return "the system refuses it" }
        switch error.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: return "there is no such file or folder"
        case .fileReadNoPermission, .fileWriteNoPermission: return "permission denied"
        case .fileWriteOutOfSpace: return "the disk is full"
        case .fileWriteVolumeReadOnly: return "the file system is read-only"
        case .fileWriteFileExists: return "it exists already"
        case .fileReadTooLarge: return "it is too large"
        case .fileReadInvalidFileName, .fileWriteInvalidFileName: return "the name is too long or not allowed"
        default: return "the system refuses it"
        }
    }
}
