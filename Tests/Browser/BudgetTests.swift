import RealPrograms
import Testing

@Suite("What a visit costs, in Chromium", .serialized, .timeLimit(.minutes(5)))
struct BudgetTests {
    /// Of a first view: the body of every answer as it came, compressed, and 300 bytes for each head, as browsers count it
    /// (Resource Timing, transferSize).
    private static let bytes = 9 * 1024.0
    /// The page, its style, its scripts and its pictures.
    private static let requests = 8

    @Test(
        "The first view is at most 9 KB in 8 requests, all to this server, on a slow line too",
        arguments: ["/", "/activate", "code"])
    func firstView(_ path: String) async throws {
        try await PairingScene.play("budget", on: .phone) { scene in
            let window = scene.window
            try await window.forgetFiles()
            try await window.connect(over: .slow)
            try await window.open(path == "code" ? scene.code.url : scene.server.url + path)
            try await scene.checkVisit(path, Self.bytes, Self.requests)
            await scene.box.kill()
        }
    }

    @Test("No page of a pairing asks another server for anything, or weighs more than a first view")
    func everyPage() async throws {
        try await PairingScene.play("budget", on: .phone) { scene in
            try await scene.visitEveryPage { page in try await scene.checkVisit(page, Self.bytes, Self.requests) }
        }
    }
}

extension PairingScene {
    fileprivate func checkVisit(_ page: String, _ bytes: Double, _ requests: Int) async throws {
        let visits = try await self.window.evaluate(
            """
            return [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
                .map((entry) => ({ address: entry.name, bytes: entry.transferSize }));
            """
        ).list
        let addresses = visits.compactMap { $0["address"]?.text }
        #expect(addresses.count >= 3 && addresses.count <= requests, "\(page): \(addresses)")
        let foreign = addresses.filter { !$0.lowercased().hasPrefix("\(self.server.url)/") }
        #expect(foreign.isEmpty, "\(page)")
        let sum = visits.compactMap { $0["bytes"]?.number }.reduce(0, +)
        #expect(sum > 0 && sum <= bytes, "\(page): \(sum) bytes")
    }
}
