import HTTPClient
import RealPrograms
import TestSupport
import Testing

@Suite("A TV provider that ends a viewer's sign-in, and two nodes on one store", .serialized, .timeLimit(.minutes(5)))
struct ProviderLogoutTests {
    private static let id = "StubTV"

    /// Brings a notice to a node, as the provider's own server does.
    private func tell(_ node: RunningServer, _ token: String) async throws -> Int {
        var request = HTTPClient.Request(.post, "\(node.url)/sp/logout/\(Self.id)")
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        request.body = Array("logout_token=\(token)".utf8)
        return try await node.send(request).status
    }

    @Test("Its signed notice to one node counts once on both, and the box hears of it at the other with its next poll")
    func everyNode() async throws {
        let (provider, stranger) = (try StubProvider(), try StubProvider())
        try await TwoNodes.with(configuring: {
            DemoFolder.add([StubProvider.settings(Self.id, at: provider.url)], to: &$0)
        }) { pair, other, _ in
            let node = other.server
            let box = try pair.startPairing()
            let phone = Phone()
            let viewer = Viewer(account: "", password: "", provider: Self.id)
            let away = try await phone.walkToProvider(from: try await box.code().url, as: viewer)
            let back = try StubProvider.answer(to: away, at: "\(pair.server.url)/sp/login/\(Self.id)")
            _ = try await phone.decide(.confirm, on: try await phone.open(back))
            try await box.end(with: 0)
            let subject = try StubProvider.subject(of: back)

            // Of another's key, and of no viewer here: neither ends anything.
            let forged = try stranger.logoutToken(of: subject, id: "n1", issuer: provider.url)
            #expect(try await self.tell(node, forged) == 400)
            #expect(try await self.tell(node, try provider.logoutToken(of: "nobody", id: "n2")) == 200)
            #expect(try await pair.box("status").end == .exited(0))

            let notice = try provider.logoutToken(of: subject, id: "n3")
            #expect(try await self.tell(node, notice) == 200)
            try await eventually("the end of the sign-in, at the box's node") {
                try await pair.box("status").end == .exited(2) ? () : nil
            }
            for other in [node, pair.server] { #expect(try await self.tell(other, notice) == 400) }
        }
    }
}
