import Glibc

/// One small file, mode 0600, replaced as a whole or not at all.
struct StateFile: Sendable {
    /// Far more than sixteen servers take.
    private static let sizeLimit = 256 << 10
    /// How long another program may hold the lock, in milliseconds; it does so for one write.
    private static let lockLimit = 2_000

    let path: String
    private var folder: String {
        guard let slash = self.path.lastIndex(of: "/") else { return "." }
        return slash == self.path.startIndex ? "/" : String(self.path[..<slash])
    }

    init(path: String) {
        self.path = path
    }

    /// The content; `nil` when there is no file.
    func read() throws(EntitlementError) -> [UInt8]? {
        let descriptor = unsafe open(self.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw self.failure("cannot be read")
        }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw self.failure("cannot be read") }
            if count == 0 { return content }
            content += buffer.prefix(count)
            // Cut short it is no JSON, and is set aside with the other files that are none of ours.
            guard content.count <= Self.sizeLimit else { return content }
        }
    }

    /// Replaces the content: a new file beside it, written and flushed, takes its name, and the folder is flushed.
    func replace(with content: [UInt8]) throws(EntitlementError) {
        let temporary = "\(self.path).new"
        // A crash may have left one behind; the lock makes it nobody's.
        unsafe unlink(temporary)
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw self.failure("cannot be written") }
        let isWritten = writeAll(content, to: descriptor) && fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isWritten, unsafe rename(temporary, self.path) == 0 else {
            let code = isWritten ? errno : code
            unsafe unlink(temporary)
            throw self.failure("cannot be written", code: code)
        }
        try self.flushFolder()
    }

    /// Gives the file the first free name of `….corrupt-1`, `….corrupt-2`, ….
    /// - Returns: that name.
    func setAside() throws(EntitlementError) -> String {
        for number in 1...99 {
            let name = "\(self.path).corrupt-\(number)"
            // link(2) fails where the name is taken, which rename(2) does not.
            guard unsafe link(self.path, name) == 0 else {
                if errno == EEXIST { continue }
                throw self.failure("cannot be set aside")
            }
            unsafe unlink(self.path)
            return name
        }
        throw EntitlementError(.state, detail: "\(self.path) is damaged, and 99 damaged ones lie beside it already")
    }

    /// Holds the lock of the file for the length of `body`. Makes the folder if it is not there.
    func withLock<Result>(_ body: () throws(EntitlementError) -> Result) throws(EntitlementError) -> Result {
        try self.make(self.folder)
        let descriptor = unsafe open("\(self.path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw self.failure("cannot be locked") }
        // Closing releases the lock, as the end of the process does.
        defer { close(descriptor) }
        var waited = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, waited < Self.lockLimit else {
                throw self.failure("is locked by another program")
            }
            usleep(10_000)
            waited += 10
        }
        return try body()
    }

    private func make(_ folder: String) throws(EntitlementError) {
        if unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
        if errno == ENOENT, let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
            try self.make(String(folder[..<slash]))
            if unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
        }
        throw EntitlementError(.state, detail: "\(folder) cannot be made (errno \(errno))")
    }

    private func flushFolder() throws(EntitlementError) {
        let descriptor = unsafe open(self.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw self.failure("cannot be flushed") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw self.failure("cannot be flushed") }
    }

    private func failure(_ what: String, code: Int32 = errno) -> EntitlementError {
        EntitlementError(.state, detail: "\(self.path) \(what) (errno \(code))")
    }
}

private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
    }
    return true
}
