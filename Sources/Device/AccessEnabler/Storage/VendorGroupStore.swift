/// The store that all applications of one vendor share on a box (access-enabler 11.6, 11.7).
///
/// One file in a folder of the vendor's; who may open that folder is the system's to say. A logout by one application
/// raises the generation, which the others see at their next configuration phase.
public final class VendorGroupStore: TokenStore {
    private let file: PrivateFileStore

    /// - Parameters:
    ///   - group: the vendor, as in its manifest.
    ///   - folder: where the groups' folders are.
    public init(group: VendorGroup, folder: String = "/var/lib/latchkey/groups") {
        let name = group.identifier.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
        // Another name for each identifier: what the filter left out still tells two vendors apart.
        let isPlain = name == group.identifier && !name.isEmpty && !name.hasPrefix(".")
        let subfolder = isPlain ? name : "group-\(stableHash(group.identifier))"
        self.file = PrivateFileStore(path: "\(folder)/\(subfolder)/store.json")
    }

    /// Where the file is.
    public var path: String { self.file.path }

    /// See ``TokenStore/stamp()``.
    public func stamp() throws(TokenStoreError) -> TokenStoreStamp { try self.file.stamp() }

    /// See ``TokenStore/content()``.
    public func content() async throws(TokenStoreError) -> TokenStoreContent { try await self.file.content() }

    /// See ``TokenStore/transaction(_:)``.
    public func transaction(
        _ change: @escaping @Sendable ([UInt8]?) throws(TokenStoreError) -> [UInt8]?
    ) async throws(TokenStoreError) -> TokenStoreStamp {
        try await self.file.transaction(change)
    }

    /// See ``TokenStore/setAside()``.
    public func setAside() async throws(TokenStoreError) -> String? { try await self.file.setAside() }
}
