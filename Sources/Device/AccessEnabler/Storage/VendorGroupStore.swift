import Clientless
import Cryptography
import POSIX

extension AccessEnabler {
    /// The store that all applications of one vendor share on a box (access-enabler 11.6, 11.7).
    ///
    /// One file in a folder of the vendor's. If the group names a Unix group, its members share it: folder 2770, files
    /// 0660; a folder that lets others in, or belongs to another group, is refused. If it names none, one user has it
    /// alone: folder 0700, files 0600. A logout by one application raises the generation of its device scope, which the
    /// others see at their next configuration phase.
    public final class VendorGroupStore: TokenStore {
        private let file: TokenStoreFile

        /// - Parameters:
        ///   - group: the vendor.
        ///   - folder: where the groups' folders are. For groups with a Unix group it has to be there, and its members
        ///     need the right to make folders in it, or the vendor's folder in it.
        public init(group: VendorGroup, folder: String = "/var/lib/access-enabler/groups") {
            let name = folderName(group.identifier, prefix: "group")
            self.file = TokenStoreFile(path: "\(folder)/\(name)/store.json") { () throws(TokenStoreError) in
                guard let unixGroup = group.unixGroup else { return .ofOneUser }
                guard let members = UnixGroup(named: unixGroup) else {
                    throw TokenStoreError(
                        "the vendor group's store cannot be used: there is no Unix group \(unixGroup)")
                }
                return Self.shared(with: members, named: unixGroup)
            }
        }

        private static func shared(with members: UnixGroup, named name: String) -> TokenStoreFile.Access {
            TokenStoreFile.Access(group: members) { (folder) throws(TokenStoreError) in
                let status: FileStatus
                do throws(SystemError) {
                    try Folder.makeShared(folder, with: members)
                    status = try FileStatus(of: folder)
                } catch {
                    throw TokenStoreError(
                        "\(folder) cannot be made for the Unix group \(name): \(error) (errno \(error.code))")
                }
                guard status.isFolder, status.group == members.id, status.mode == 0o2770 else {
                    throw TokenStoreError("\(folder) must be a folder of the Unix group \(name) with mode 2770")
                }
            }
        }

        /// The path of the file.
        public var path: String { self.file.path }

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

        /// See ``AccessEnabler/PrivateFileStore/setAside()``.
        public func setAside() async throws(TokenStoreError) -> String? { try await self.file.setAside() }
    }
}

/// A folder's name for an identifier, another one for every other identifier: itself if it can be one, else a hash.
/// - Parameter prefix: what the name of a hash begins with.
func folderName(_ identifier: String, prefix: String) -> String {
    let isPlain =
        (1...128).contains(identifier.utf8.count) && !identifier.hasPrefix(".")
        && !identifier.hasPrefix("\(prefix)-")
        && identifier.utf8.allSatisfy { isIdentifierByte($0) || $0 == UInt8(ascii: ".") }
    return isPlain ? identifier : "\(prefix)-\(Hex.encode(Digest.sha256(identifier.utf8).prefix(16)))"
}
