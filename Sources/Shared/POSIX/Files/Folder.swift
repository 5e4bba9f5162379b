import Glibc

/// Folders: what they are called, making them, and what is in them.
package enum Folder {
    /// The folder a file is in, as its path says; `.` when the path names no folder.
    package static func containing(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The path of a folder without slashes at its end, which a shell adds.
    package static func trimmed(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    /// Makes a folder, and those above it, with mode 0700; one that is there stays as it is.
    package static func makePrivate(_ path: String) throws(SystemError) {
        if unsafe mkdir(path, 0o700) == 0 { return }
        let error = SystemError.last
        switch error {
        case .exists:
            // mkdir(2) says so of files, too.
            _ = try FileDescriptor(path, .folder)
        case .notFound:
            let parent = Self.containing(path)
            guard parent != path, parent != "." else { throw error }
            try Self.makePrivate(parent)
            guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last }
        default:
            throw error
        }
    }

    /// Makes a folder, mode 0750, that a group may look into and not change; those above it are private. One that is there
    /// stays as it is.
    package static func makeReadable(_ path: String, by group: UnixGroup) throws(SystemError) {
        if (try? FileStatus(of: path, followsLinks: true)) != nil { return }
        try self.makePrivate(path)
        try group.take(path, mode: 0o750)
    }

    /// Makes a folder with mode 0700 in one that is there.
    /// - Throws: ``SystemError/exists`` when something has the name.
    package static func make(_ path: String) throws(SystemError) {
        guard unsafe mkdir(path, 0o700) == 0 else { throw .last }
    }

    /// Gives a folder a name that nothing but an empty folder has; on return that survives a power cut.
    package static func move(_ path: String, to new: String) throws(SystemError) {
        guard unsafe rename(path, new) == 0 else { throw .last }
        try self.synchronize(self.containing(new))
    }

    /// Makes a folder of the owner and group of a file, which the readers of the file may look into; one that is there stays
    /// as it is.
    package static func make(_ path: String, like file: String) throws(SystemError) {
        guard unsafe mkdir(path, 0o700) == 0 else {
            guard errno == EEXIST else { throw .last }
            return
        }
        let status = try FileStatus(of: file, followsLinks: true)
        let readers = mode_t(status.mode) & 0o044
        guard unsafe chown(path, uid_t(status.owner), gid_t(status.group)) == 0,
            unsafe chmod(path, 0o700 | readers | readers >> 2) == 0
        else { throw .last }
    }

    /// Takes the folder's permissions from all but its own user: mode 0700.
    /// - Throws: when the folder is another user's.
    package static func close(_ path: String) throws(SystemError) {
        guard try FileStatus(of: path).mode != 0o700 else { return }
        guard unsafe chmod(path, 0o700) == 0 else { throw .last }
    }

    /// Makes a folder for the members of a group, mode 2770; one that is there stays as it is. The folder above it must
    /// be there.
    package static func makeShared(_ path: String, with group: UnixGroup) throws(SystemError) {
        guard unsafe mkdir(path, 0o700) == 0 else {
            guard errno == EEXIST else { throw .last }
            return
        }
        do throws(SystemError) {
            try group.take(path, mode: 0o2770)
        } catch {
            _ = unsafe rmdir(path)
            throw error
        }
    }

    /// Writes the folder's entries to the disk: a new name is durable only then.
    package static func synchronize(_ path: String) throws(SystemError) {
        try FileDescriptor(path, .folder).synchronize()
    }

    /// The names in a folder, in no order, without `.` and `..`.
    package static func names(in path: String) throws(SystemError) -> [String] {
        guard let stream = unsafe opendir(path) else { throw .last }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            // readdir(3): at the end it returns NULL and leaves `errno` as it was.
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw .last }
                return names
            }
            // `d_name` ends in a NUL, and is the stream's until the next call.
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }
}
