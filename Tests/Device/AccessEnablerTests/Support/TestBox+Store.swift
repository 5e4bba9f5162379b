import FoundationEssentials
import Testing

@testable import AccessEnabler

extension TestBox {
    /// What the store of the box holds, as applications of a device scope see it.
    func image(scope: String = testScope) throws -> StoreImage {
        let data = try Data(contentsOf: URL(filePath: self.storePath))
        return try #require(StoreImage(reading: Array(data), scope: scope))
    }
}
