import Lending
import Stores
import TestSupport
import Testing

/// A store in a folder of its own, closed after the test.
struct LentStore: Sendable {
    @TaskLocal static var current: LentStore?

    let folder: TemporaryFolder
    let store: SQLiteStore
}

var folder: String { LentStore.$current.lent().folder.path }
var file: String { "\(folder)/store.sqlite" }
var store: SQLiteStore { LentStore.$current.lent().store }

extension Trait where Self == Lending<LentStore> {
    static var store: Self { .store() }

    static func store(_ change: @escaping @Sendable (inout SQLiteStore.Options) -> Void = { _ in }) -> Self {
        Lending(LentStore.$current) { body in
            let folder = try TemporaryFolder()
            var options = SQLiteStore.Options()
            change(&options)
            let store = try await SQLiteStore.open(folder.file("store.sqlite"), options: options)
            try await body(LentStore(folder: folder, store: store))
            await store.close()
        }
    }
}
