import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport

/// How many instructions each call takes, held to a kept file of budgets.
struct Instructions: Sendable {
    /// One of the calls that are counted.
    private struct Call: Sendable {
        let name: String
        /// What the server does of its own comes in lumps, which weigh less the more calls share one.
        var times = 240
        /// Functions of C libraries that no change here makes cheaper.
        var without: [String] = []
        /// Makes the call for a box of its own, as the number of the call says.
        let make: @Sendable (Int) async throws -> Void
    }

    /// Calls of each kind that do not count, each for another box; the others are for the same boxes again.
    private static let warmUp = 20
    /// Of so many stretches the median counts.
    private static let stretches = 3

    let surroundings: Surroundings
    let budgets: String
    /// Keeps what is counted as the budgets, where it is less.
    let isAccepting: Bool

    /// - Returns: whether every call is within its budget.
    func run() async throws -> Bool {
        let kept = try InstructionCounts.read(self.budgets)
        let (folder, provider, saml) = (self.surroundings.folder, try StubProvider(), try StubSAMLProvider())
        let demo = try await BenchServer.demo(self.surroundings, in: "\(folder)/server", onOneProcessor: true) {
            DemoFolder.add(
                [
                    StubProvider.settings(ProviderVisitors.openID, at: provider.url),
                    try saml.settings(ProviderVisitors.saml, key: "\(folder)/saml.pem"),
                ], to: &$0)
        }
        let server = try await BenchServer.start(
            demo, self.surroundings, onOneProcessor: false, after: Callgrind.preparation(in: folder))
        let callgrind = Callgrind(server.running, in: folder)
        var (text, isWithin, stretch) = ("", true, 0)
        try await ending({ await server.stop() }) {
            let calls = try await self.calls(server, in: folder)
            try await callgrind.begin()
            for call in calls {
                var (next, profiles) = (0, [Callgrind.Profile]())
                func make(_ times: Int) async throws {
                    for number in next..<next + times { try await call.make(number) }
                    next += times
                }
                try await make(Self.warmUp)
                for _ in 0..<Self.stretches {
                    profiles.append(try await callgrind.count(stretch: stretch) { try await make(call.times) })
                    stretch += 1
                }
                let median = profiles.sorted { $0.sum < $1.sum }[Self.stretches / 2]
                let counts = try await InstructionCounts(median, calls: call.times, without: call.without)
                let complaint = kept[call.name].map { counts.complaint(against: $0) } ?? "no budget is kept"
                let isMet = self.isAccepting || complaint == nil
                result(
                    "RESULT name=\(call.name) value=\(counts.instructions.rounded(places: 1)) unit=thousand"
                        + " cleared=\(counts.cleared.rounded(places: 1)) met=\(isMet ? "yes" : "no")")
                if let complaint, !isMet { talk("\(call.name): \(complaint)") }
                isWithin = isWithin && isMet
                let lower = kept[call.name].flatMap { $0.instructions < counts.instructions ? $0 : nil } ?? counts
                text += lower.lines(of: call.name)
            }
        }
        if self.isAccepting { try Data(text.utf8).write(to: URL(filePath: self.budgets)) }
        return isWithin
    }

    private func calls(_ server: BenchServer, in folder: String) async throws -> [Call] {
        let client = HTTPClient()
        let pending = try await server.createCodes(1000, in: folder)
        let signedIn = Array(pending.suffix(Self.warmUp))
        for (number, box) in signedIn.enumerated() { try await Self.pair(box, of: 900 + number, at: server) }
        @Sendable func send(
            _ path: String, _ number: Int, nonce: String? = "\(UUID())", expecting status: Int = 200
        ) async throws {
            var request = HTTPClient.Request(.get, server.url + path)
            request.headers["Accept"] = "application/json"
            request.headers["X-Forwarded-For"] = LoadFiles.address(number)
            request.headers["Authorization"] = nonce.map { server.authorization("GET", withoutQuery(path), nonce: $0) }
            try Self.expect(status, try await client.send(request))
        }
        let visitors = ProviderVisitors(Array(pending[700..<900]), at: server)
        func resource(_ endpoint: String, _ resource: String, times: Int = 240, without: [String] = []) -> Call {
            Call(name: endpoint, times: times, without: without) { number in
                let device = signedIn[number % Self.warmUp].deviceID
                try await send(
                    "/api/v1/\(endpoint)?deviceId=\(device)&requestor=\(BenchServer.requestor)&resource=\(resource)",
                    number)
            }
        }
        func signIn(_ provider: String) -> Call {
            Call(name: "sign-in-\(provider == ProviderVisitors.saml ? "saml" : "oidc")", times: 10) { _ in
                _ = try await visitors.signIn(1, at: provider)
            }
        }
        let channel = HTMLForm.urlEncoded(DemoFolder.channel)
        return [
            // A page signs nothing.
            Call(name: "poll-by-code") { try await send(pending[$0 % 20].codePath, $0, nonce: nil, expecting: 403) },
            Call(name: "poll-by-device") { try await send(pending[$0 % Self.warmUp].devicePath, $0, expecting: 403) },
            Call(name: "poll-signed-in") { try await send(signedIn[$0 % Self.warmUp].devicePath, $0) },
            Call(name: "config") { try await send("/api/v1/config/\(BenchServer.requestor)", $0) },
            resource("authorize", channel),
            resource("preauthorize", (1...50).map { "Channel%20\($0)" }.joined(separator: ",")),
            resource("mediatoken", channel, times: 120, without: ["EVP_DigestSign"]),
            Call(name: "regcode") { number in
                let status = try await server.create(
                    for: "counted-\(number)", with: client, from: LoadFiles.address(number << 8 | 1))
                guard status == 201 else { throw NotMeasured(description: "a creation was answered \(status)") }
            },
            Call(name: "page") { number in
                var request = HTTPClient.Request(.get, "\(server.url)/activate")
                request.headers["X-Forwarded-For"] = LoadFiles.address(number << 8 | 1)
                try Self.expect(200, try await client.send(request))
            },
            Call(name: "sign-in-local", times: 10, without: ["crypt_r", "crypt_rn", "crypt"]) { number in
                try await Self.pair(pending[500 + number], of: 500 + number, at: server)
            },
            signIn(ProviderVisitors.openID), signIn(ProviderVisitors.saml),
        ]
    }

    /// Pairs a box at a local account, in a household's network of its own.
    private static func pair(_ box: BenchServer.Box, of household: Int, at server: BenchServer) async throws {
        let phone = Phone(behindProxyAt: LoadFiles.address(household << 8 | 1))
        let page = try await phone.walkToConfirmation(
            from: "\(server.url)/activate?code=\(box.code)", as: server.running.demo.viewer)
        _ = try await phone.decide(.confirm, on: page)
    }

    private static func expect(_ status: Int, _ answer: HTTPClient.Response) throws {
        guard answer.status == status
        else { throw NotMeasured(description: "a call was answered \(answer.status) instead of \(status)") }
    }
}
