import POSIX

/// A token store in a file that is replaced as a whole under a lock, and its kin: `….lock`, `….new`, `….corrupt-1`,
/// `….schema-2`.
///
/// The two stores that have such a file decide who owns it and its folder.
final class TokenStoreFile: Sendable {
    /// The largest file that is read: twice the largest that is written. A larger one of another version is made
    /// smaller.
    private static let readingLimit = 8 << 20
    /// How many damaged contents are kept; the next one takes the last one's place.
    private static let damagedLimit = 9
    /// How long another process may hold the lock; it does so for one write.
    private static let lockPatience: Duration = .seconds(2)

    /// How a store gets at its folder before a file is made in it.
    struct Access: Sendable {
        /// The group that shares the file; `nil` when one user has it alone.
        var group: UnixGroup?
        /// Makes the folder, or looks whether it is as it must be.
        let prepare: @Sendable (_ folder: String) throws(AccessEnabler.TokenStoreError) -> Void

        /// A folder that no other user may look into.
        static let ofOneUser = Access { (folder) throws(AccessEnabler.TokenStoreError) in
            do throws(SystemError) {
                try Folder.makePrivate(folder)
                try Folder.close(folder)
            } catch {
                throw AccessEnabler.TokenStoreError("\(folder) cannot be made private: \(error) (errno \(error.code))")
            }
        }
    }

    let path: String
    private let access: @Sendable () throws(AccessEnabler.TokenStoreError) -> Access
    // Writing blocks, and must not do so on the cooperative pool.
    private let thread = SerialThread()

    /// - Parameter access: asked before each use, since the system may have changed.
    init(path: String, access: @escaping @Sendable () throws(AccessEnabler.TokenStoreError) -> Access) {
        self.path = path
        self.access = access
    }

    func stamp() throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreStamp {
        do throws(SystemError) {
            // A change is another file under the same name, so its number and time tell.
            let version = try FileVersion(of: self.path)
            return AccessEnabler.TokenStoreStamp(version.file, version.modified, version.size)
        } catch {
            guard error == .notFound else { throw self.failure("cannot be looked at", error) }
            return AccessEnabler.TokenStoreStamp()
        }
    }

    func content() async throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreContent {
        try await self.perform { () throws(AccessEnabler.TokenStoreError) in
            _ = try self.access()
            // The stamp first: a change in between makes the content newer than its stamp, which is then read again.
            let stamp = try self.stamp()
            return AccessEnabler.TokenStoreContent(bytes: try self.read(), stamp: stamp)
        }
    }

    func transaction(
        _ change: @escaping @Sendable ([UInt8]?) throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreChange
    ) async throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreOutcome {
        try await self.perform { () throws(AccessEnabler.TokenStoreError) in
            let access = try self.access()
            let lock = try self.lock(access)
            let former = try self.read()
            let change = try change(former)
            var place: String?
            if let content = change.content {
                if former != nil { place = try self.keep(change.former) }
                try self.write(content, access)
            }
            let stamp = try self.stamp()
            _ = consume lock
            return AccessEnabler.TokenStoreOutcome(stamp: stamp, setAside: place)
        }
    }

    func setAside() async throws(AccessEnabler.TokenStoreError) -> String? {
        try await self.perform { () throws(AccessEnabler.TokenStoreError) in
            let lock = try self.lock(try self.access())
            let place = try self.keep(.damaged)
            do throws(SystemError) {
                try PrivateFile(self.path).remove()
            } catch {
                guard error == .notFound else { throw self.failure("cannot be set aside", error) }
            }
            _ = consume lock
            return place
        }
    }

    private func write(_ content: [UInt8], _ access: Access) throws(AccessEnabler.TokenStoreError) {
        guard content.count <= Self.readingLimit else {
            throw AccessEnabler.TokenStoreError("\(self.path) is not written: \(content.count) bytes are too many")
        }
        do throws(SystemError) {
            try PrivateFile(self.path, sharedWith: access.group).replace(content)
        } catch {
            throw self.failure("cannot be written", error)
        }
    }

    /// Gives the content a second name, which it keeps when another takes its place. - Returns: the name.
    private func keep(_ former: AccessEnabler.TokenStoreChange.Former) throws(AccessEnabler.TokenStoreError) -> String?
    {
        let file = PrivateFile(self.path)
        let names: [String]
        switch former {
        case .dropped: return nil
        case .damaged: names = (1...Self.damagedLimit).map { "\(self.path).corrupt-\($0)" }
        case .schema(let number): names = ["\(self.path).schema-\(number)"]
        }
        do throws(SystemError) {
            for name in names where try self.isKept(file, as: name) { return name }
            // Every name is taken: the last one's content makes room.
            guard let name = names.last else { return nil }
            try PrivateFile(name).remove()
            return try self.isKept(file, as: name) ? name : nil
        } catch {
            if error == .notFound { return nil }
            throw self.failure("cannot be set aside", error)
        }
    }

    private func isKept(_ file: PrivateFile, as name: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try file.keep(as: name)
            return true
        } catch {
            guard error == .exists else { throw error }
            return false
        }
    }

    private func read() throws(AccessEnabler.TokenStoreError) -> [UInt8]? {
        do throws(SystemError) {
            return try WholeFile.read(self.path, limit: Self.readingLimit)
        } catch {
            guard error == .notFound else { throw self.failure("cannot be read", error) }
            return nil
        }
    }

    private func lock(_ access: Access) throws(AccessEnabler.TokenStoreError) -> FileLock {
        try access.prepare(Folder.containing(self.path))
        do throws(SystemError) {
            return try FileLock("\(self.path).lock", patience: Self.lockPatience, sharedWith: access.group)
        } catch {
            throw self.failure("cannot be locked", error)
        }
    }

    private func failure(_ what: String, _ error: SystemError) -> AccessEnabler.TokenStoreError {
        AccessEnabler.TokenStoreError("\(self.path) \(what): \(error) (errno \(error.code))")
    }

    private func perform<Result: Sendable>(
        _ work: @escaping @Sendable () throws(AccessEnabler.TokenStoreError) -> Result
    ) async throws(AccessEnabler.TokenStoreError) -> Result {
        let result = await withCheckedContinuation { continuation in
            self.thread.run {
                continuation.resume(returning: Swift.Result<Result, AccessEnabler.TokenStoreError>(catching: work))
            }
        }
        return try result.get()
    }
}
