import RealPrograms

/// Polls of codes nobody has signed in with yet, against nginx that answers as many bytes without looking.
struct SignedPolls: Measurement {
    let figures = [
        Figure(
            name: "checkauthn-code", unit: "ratio", goal: .atLeast(0.6),
            meaning: "signed checkauthn/{code} of pending codes per second, over nginx 'return 200' of the same size"),
        Figure(
            name: "checkauthn-device", unit: "ratio", goal: .atLeast(0.6),
            meaning: "signed checkauthn?deviceId= of pending boxes per second, over nginx 'return 200' of the same size"
        ),
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/signed-polls"
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server")
        let result: [Double]
        do {
            let boxes = try await server.createCodes(surroundings.amount(1000, rehearsal: 50), in: folder)
            result = [
                try await self.compare(server, boxes.map(\.codePath), "code", surroundings, in: folder),
                try await self.compare(server, boxes.map(\.devicePath), "device", surroundings, in: folder),
            ]
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        return result
    }

    /// The median of the ratios of pairs of runs, which take turns in who goes first.
    private func compare(
        _ server: BenchServer, _ paths: [String], _ name: String, _ surroundings: Surroundings, in folder: String
    ) async throws -> Double {
        let folder = "\(folder)/\(name)"
        let script = try SignedCalls(server: server).pollScript(paths, signing: withoutQuery, in: folder)
        var ours = LoadGenerator(script: script, url: server.url, seconds: 1)
        let answer = try await ours.run()
        guard answer.otherThanSuccess == answer.requests else {
            throw NotMeasured(description: "some polls of pending codes were not answered 403")
        }
        let nginx = try await Self.nginx(answering: answer.bytesPerAnswer, script, surroundings, in: folder)
        var theirs = LoadGenerator(script: script, url: nginx.url, seconds: 1)
        do {
            ours.seconds = surroundings.amount(3, rehearsal: 1)
            theirs.seconds = ours.seconds
            var ratios: [Double] = []
            for pair in 0..<surroundings.amount(5, rehearsal: 1) {
                let first = try await (pair % 2 == 0 ? ours : theirs).run()
                let second = try await (pair % 2 == 0 ? theirs : ours).run()
                let (mine, other) = pair % 2 == 0 ? (first, second) : (second, first)
                talk("\(name): \(Int(mine.requestsPerSecond))/s, nginx \(Int(other.requestsPerSecond))/s")
                ratios.append(mine.requestsPerSecond / other.requestsPerSecond)
            }
            await nginx.stop()
            return ratios.median
        } catch {
            await nginx.stop()
            throw error
        }
    }

    /// nginx whose answers, head and body, have `size` bytes.
    private static func nginx(
        answering size: Double, _ script: String, _ surroundings: Surroundings, in folder: String
    ) async throws -> NginxUnderTest {
        var length = 32
        for _ in 0..<3 {
            let body = String(repeating: "x", count: max(length, 0))
            let nginx = try await NginxUnderTest.start(surroundings.nginx, answering: body, in: "\(folder)/nginx")
            let outcome = try await LoadGenerator(script: script, url: nginx.url, seconds: 1).run()
            guard abs(outcome.bytesPerAnswer - size) >= 1.5 else { return nginx }
            await nginx.stop()
            length += Int((size - outcome.bytesPerAnswer).rounded())
        }
        throw NotMeasured(description: "nginx's answers could not be made as long as ours")
    }
}

/// What a box of ours signs: the path (rest-v1 7.4, form 1).
func withoutQuery(_ path: String) -> String { String(path.prefix { $0 != "?" }) }
