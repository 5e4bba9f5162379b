import FoundationEssentials
import TestSupport
import Testing

@testable import AccessEnabler

extension TestBox {
    /// What the store of the box holds, as applications of a device scope see it.
    func image(scope: String = testScope) throws -> StoreImage {
        let data = try Data(contentsOf: URL(filePath: self.storePath))
        return try #require(StoreImage(reading: Array(data), scope: scope))
    }

    var storedText: String { get throws { try self.folder.read("state/store.json") } }
}

extension StoreImage {
    var authentications: [String] { self.providers.compactMap { $0.authn?.xml } }
    var authorizations: [String] { self.providers.flatMap { $0.authz.values.map(\.xml) } }

    private var providers: [Provider] { self.requestors.values.flatMap { $0.mvpds.values } }
}

/// The store of the lent box that a vendor's applications share.
func vendorStore(_ scope: String = "vendor") -> AccessEnabler.VendorGroupStore {
    let group = AccessEnabler.VendorGroup(identifier: "vendor", deviceScope: scope)
    return AccessEnabler.VendorGroupStore(group: group, folder: box.folder.file("groups"))
}

/// An application of that vendor on the lent box, with a statement of its own.
func member(_ name: String, scope: String = "vendor", statement: String? = nil) async throws -> TestApplication {
    let application = try box.start(service, statement: statement ?? "statement.of.\(name)") {
        $0.applicationID = "com.example.\(name)"
        $0.vendorGroup = AccessEnabler.VendorGroup(identifier: "vendor", deviceScope: scope)
        $0.tokenStore = vendorStore(scope)
    }
    try await application.enabler.configure(requestorID: TestBox.requestor)
    return application
}
