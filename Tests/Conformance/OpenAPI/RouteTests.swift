import HTTPServer
import ServerAPI
import Testing

@Suite("The description and the server", .timeLimit(.minutes(5)))
struct RouteTests {
    /// What people see and operators watch is described elsewhere.
    private static func isForPeople(_ path: String) -> Bool {
        let first = path.split(separator: "/").first ?? ""
        let own: [Substring] = [
            "", "activate", "assets", "boxes", "go", "help", "healthz", "logos", "openapi.json", "readyz",
            "metrics",
        ]
        return own.contains(first)
    }

    @Test func `know the same methods on the same paths`() async throws {
        let served = try await ServedRoutes.all().filter { !Self.isForPeople($0.path) }
        let (routes, operations) = (served.map(\.label), APIDescription.operations.map(\.label))
        #expect(Set(routes).subtracting(operations).sorted() == [], "served and not described")
        #expect(Set(operations).subtracting(routes).sorted() == [], "described and not served")
        #expect(operations.count == Set(operations).count)
        #expect(operations.count > 20)
    }

    @Test func `bound the body of every route`() async throws {
        for route in try await ServedRoutes.all() {
            #expect((1...175_104).contains(route.bodyLimit ?? 0), "\(route.label)")
        }
    }
}
