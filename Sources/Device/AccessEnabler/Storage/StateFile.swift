import POSIX

/// One small file, mode 0600, replaced as a whole or not at all.
struct StateFile: Sendable {
    /// Far more than sixteen servers take.
    private static let sizeLimit = 256 << 10
    /// How long another program may hold the lock; it does so for one write.
    private static let lockPatience: Duration = .seconds(2)

    let path: String

    /// The content; `nil` when there is no file. Of a file that is too large to be ours nothing is kept, which is no
    /// state, so it is set aside like other files that cannot be understood.
    func read() throws(EntitlementError) -> [UInt8]? {
        do throws(SystemError) {
            return try WholeFile.read(self.path, limit: Self.sizeLimit)
        } catch {
            switch error {
            case .notFound: return nil
            case .tooLarge: return []
            default: throw self.failure("cannot be read", error)
            }
        }
    }

    /// Replaces the content. Only under the lock.
    func replace(with content: [UInt8]) throws(EntitlementError) {
        do throws(SystemError) {
            try PrivateFile(self.path).replace(content)
        } catch {
            throw self.failure("cannot be written", error)
        }
    }

    /// Gives the file the first free name of `….corrupt-1`, `….corrupt-2`, ….
    /// - Returns: that name.
    func setAside() throws(EntitlementError) -> String {
        for number in 1...99 {
            let name = "\(self.path).corrupt-\(number)"
            do throws(SystemError) {
                try PrivateFile(self.path).move(to: name)
                return name
            } catch {
                guard error == .exists else { throw self.failure("cannot be set aside", error) }
            }
        }
        throw EntitlementError(.state, detail: "\(self.path) is damaged, and 99 damaged ones lie beside it already")
    }

    /// Holds the lock of the file for the length of `body`. Makes the folder if it is not there.
    func withLock<Result>(_ body: () throws(EntitlementError) -> Result) throws(EntitlementError) -> Result {
        let lock = try self.lock()
        let result = try body()
        _ = consume lock
        return result
    }

    private func lock() throws(EntitlementError) -> FileLock {
        do throws(SystemError) {
            try Folder.makePrivate(Folder.containing(self.path))
            return try FileLock("\(self.path).lock", patience: Self.lockPatience)
        } catch {
            throw self.failure("cannot be locked", error)
        }
    }

    private func failure(_ what: String, _ error: SystemError) -> EntitlementError {
        EntitlementError(.state, detail: "\(self.path) \(what): \(error) (errno \(error.code))")
    }
}
