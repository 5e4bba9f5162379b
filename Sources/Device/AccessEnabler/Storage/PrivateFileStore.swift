import Dispatch
import FoundationEssentials
import POSIX

/// The store of one application: a file of mode 0600 in a folder of mode 0700, replaced as a whole under a lock
/// (access-enabler 11.6). Persistent, not shared; several processes of the application may use it at once.
public final class PrivateFileStore: TokenStore {
    /// Far more than the tokens of any number of programmers a box has.
    private static let sizeLimit = 4 << 20
    /// How long another process may hold the lock; it does so for one write.
    private static let lockPatience: Duration = .seconds(2)

    /// Where the file is.
    public let path: String
    // Writing blocks, and must not do so on the cooperative pool.
    private let queue = DispatchQueue(label: "token store")

    /// The store in a file of one's own choice.
    public init(path: String) {
        self.path = path
    }

    /// `store.json` in the application's state folder: `$XDG_STATE_HOME/ID`, or `~/.local/state/ID`.
    public convenience init(applicationID: String) {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? "/var/lib"
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.local/state"
        let name = applicationID.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
        self.init(path: "\(state)/\(name.isEmpty || name.hasPrefix(".") ? "access-enabler" : name)/store.json")
    }

    /// See ``TokenStore/stamp()``.
    public func stamp() throws(TokenStoreError) -> TokenStoreStamp {
        do throws(SystemError) {
            // A change is another file under the same name, so its number and time tell.
            let version = try FileVersion(of: self.path)
            return TokenStoreStamp(version.file, version.modified, version.size)
        } catch {
            guard error == .notFound else { throw self.failure("cannot be looked at", error) }
            return TokenStoreStamp()
        }
    }

    /// See ``TokenStore/content()``.
    public func content() async throws(TokenStoreError) -> TokenStoreContent {
        try await self.perform { () throws(TokenStoreError) in
            // The stamp first: a change in between makes the content newer than its stamp, which is then read again.
            let stamp = try self.stamp()
            return TokenStoreContent(bytes: try self.read(), stamp: stamp)
        }
    }

    /// See ``TokenStore/transaction(_:)``.
    public func transaction(
        _ change: @escaping @Sendable ([UInt8]?) throws(TokenStoreError) -> [UInt8]?
    ) async throws(TokenStoreError) -> TokenStoreStamp {
        try await self.perform { () throws(TokenStoreError) in
            let lock = try self.lock()
            if let content = try change(try self.read()) {
                do throws(SystemError) {
                    try PrivateFile(self.path).replace(content)
                } catch {
                    throw self.failure("cannot be written", error)
                }
            }
            let stamp = try self.stamp()
            _ = consume lock
            return stamp
        }
    }

    /// Gives the file the first free name of `….corrupt-1`, `….corrupt-2`, ….
    public func setAside() async throws(TokenStoreError) -> String? {
        try await self.perform { () throws(TokenStoreError) in
            let lock = try self.lock()
            let place = try self.moveAside()
            _ = consume lock
            return place
        }
    }

    private func moveAside() throws(TokenStoreError) -> String? {
        for number in 1...99 {
            let name = "\(self.path).corrupt-\(number)"
            do throws(SystemError) {
                try PrivateFile(self.path).move(to: name)
                return name
            } catch {
                if error == .notFound { return nil }
                guard error == .exists else { throw self.failure("cannot be set aside", error) }
            }
        }
        throw TokenStoreError("\(self.path) is damaged, and 99 damaged ones lie beside it already")
    }

    private func read() throws(TokenStoreError) -> [UInt8]? {
        do throws(SystemError) {
            return try WholeFile.read(self.path, limit: Self.sizeLimit)
        } catch {
            switch error {
            case .notFound: return nil
            // Too large to be ours: what cannot be understood, not what is not there.
            case .tooLarge: return []
            default: throw self.failure("cannot be read", error)
            }
        }
    }

    private func lock() throws(TokenStoreError) -> FileLock {
        do throws(SystemError) {
            try Folder.makePrivate(Folder.containing(self.path))
            return try FileLock("\(self.path).lock", patience: Self.lockPatience)
        } catch {
            throw self.failure("cannot be locked", error)
        }
    }

    private func failure(_ what: String, _ error: SystemError) -> TokenStoreError {
        TokenStoreError("\(self.path) \(what): \(error) (errno \(error.code))")
    }

    private func perform<Result: Sendable>(
        _ work: @escaping @Sendable () throws(TokenStoreError) -> Result
    ) async throws(TokenStoreError) -> Result {
        let result = await withCheckedContinuation { continuation in
            self.queue.async {
                continuation.resume(returning: Swift.Result<Result, TokenStoreError>(catching: work))
            }
        }
        return try result.get()
    }
}
