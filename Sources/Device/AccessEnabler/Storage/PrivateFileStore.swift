import FoundationEssentials
import POSIX

extension AccessEnabler {
    /// The store of one application: a file of mode 0600 in a folder of mode 0700, replaced as a whole under a lock
    /// (access-enabler 11.6). Persistent, not shared; several processes of the application may use it at once.
    public final class PrivateFileStore: TokenStore {
        private let file: TokenStoreFile

        /// The path of the file.
        public var path: String { self.file.path }

        /// The store in a file of one's own choice. Its folder is made with mode 0700; one that is there stays as it
        /// is, for other things may lie in it.
        public init(path: String) {
            self.file = TokenStoreFile(path: path) {
                TokenStoreFile.Access { (folder) throws(TokenStoreError) in
                    do throws(SystemError) {
                        try Folder.makePrivate(folder)
                    } catch {
                        throw TokenStoreError("\(folder) cannot be made: \(error) (errno \(error.code))")
                    }
                }
            }
        }

        /// `store.json` in the application's state folder: `$XDG_STATE_HOME/ID`, or `~/.local/state/ID`. The folder is
        /// the application's own; where others may look into it, that is taken from them. No two identifiers share one.
        public convenience init(applicationID: String) {
            self.init(applicationID: applicationID, environment: ProcessInfo.processInfo.environment)
        }

        package init(applicationID: String, environment: [String: String]) {
            let home = environment["HOME"] ?? "/var/lib"
            let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.local/state"
            let folder = folderName(applicationID, prefix: "application")
            self.file = TokenStoreFile(path: "\(state)/\(folder)/store.json") { () throws(TokenStoreError) in
                // Else two applications that forgot to name themselves would sign each other out (access-enabler D-60).
                guard !applicationID.isEmpty else { throw Configuration.missingApplicationID }
                return .ofOneUser
            }
        }

        /// See ``AccessEnabler/TokenStore/stamp()``.
        public func stamp() throws(TokenStoreError) -> TokenStoreStamp { try self.file.stamp() }
        /// See ``AccessEnabler/TokenStore/content()``.
        public func content() async throws(TokenStoreError) -> TokenStoreContent { try await self.file.content() }

        /// See ``AccessEnabler/TokenStore/transaction(_:)``.
        public func transaction(
            _ change: @escaping @Sendable ([UInt8]?) throws(TokenStoreError) -> TokenStoreChange
        ) async throws(TokenStoreError) -> TokenStoreOutcome {
            try await self.file.transaction(change)
        }

        /// Gives the file the first free name of `….corrupt-1` to `….corrupt-9`; the last one's content goes when all
        /// are taken.
        public func setAside() async throws(TokenStoreError) -> String? { try await self.file.setAside() }
    }
}
