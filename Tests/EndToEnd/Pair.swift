import FoundationEssentials
import HTTPClient
import Lending
import RealPrograms
import TestSupport
import Testing

/// A real server and the folder of a real box, for one test.
struct Pair: Sendable {
    @TaskLocal static var current: Pair?

    let folder: TemporaryFolder
    let demo: DemoFolder
    let server: RunningServer
    let boxState: String

    /// - Parameter boxState: the file of the box's state, in `folder`.
    init(folder: TemporaryFolder, demo: DemoFolder, server: RunningServer, boxState: String = "box.json") {
        self.folder = folder
        self.demo = demo
        self.server = server
        self.boxState = folder.file(boxState)
    }

    var port: Int { self.server.port }

    /// Sets both up, lends them to `body`, and ends the server on every path.
    static func with(
        configuring change: (inout JSON) throws -> Void = { _ in }, _ body: (Pair) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server"), configuring: change)
        let server = try await RunningServer.start(demo, .own)
        // A test may have ended it already; then this does nothing.
        try await ending({ await server.stop() }, orOnError: { await server.kill() }) {
            try await body(Pair(folder: folder, demo: demo, server: server))
        }
    }

    /// Sets up a service whose viewers sign in at a real provider, too, and lends all to `body`.
    static func with<Provider: RunningProvider>(
        _ kind: Provider.Type, _ body: (Pair, Provider) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server"))
        let provider = try await Provider.start(for: demo, in: folder)
        let service = try await RunningService.start(demo)
        try await ending({ await service.stop() }, orOnError: { await service.kill() }) {
            try await body(Pair(folder: folder, demo: demo, server: service.servers[0]), provider)
        }
    }

    func startPairing() throws -> RunningBox { try RunningBox.pair(self.demo, .own, state: self.boxState) }

    func box(_ words: String...) async throws -> (end: ChildProcess.End, events: [JSON], talk: String) {
        try await RunningBox.run(self.demo, .own, state: self.boxState, words)
    }

    /// Plays the viewer from the QR code to the end.
    func decide(_ decision: Phone.Decision, on code: RunningBox.Code) async throws {
        let phone = Phone()
        let question = try await phone.walkToConfirmation(from: code.url, as: self.demo.viewer)
        _ = try await phone.decide(decision, on: question)
    }

    /// Pairs the box from beginning to end.
    func signIn() async throws {
        let box = try self.startPairing()
        try await self.decide(.confirm, on: try await box.code())
        try await box.end(with: 0)
    }

    /// Has the server's program verify a media token of the demo's channel.
    func verify(_ token: JSON?) async throws {
        let arguments = ["verify-media-token", "--config", self.demo.serverConfiguration]
        let verified = try await ChildProcess(
            ProgramFolder.own.server, arguments + ["--channel", DemoFolder.channel, try #require(token?.text)]
        ).run()
        #expect(verified.end == .exited(0))
        let verdict = try JSON(parsing: verified.output)
        #expect(verdict["result"] == "VALID_TOKEN")
        #expect(verdict["requestor"] == .text(DemoFolder.strictRequestor))
        #expect(verdict["provider"] == .text(DemoFolder.provider))
    }

    /// Makes every code older. Only while no server runs.
    func letHoursPass(_ hours: Int) async throws {
        let time = hours * 3_600_000
        let sql = """
            UPDATE codes SET generated = generated - \(time), expires = expires - \(time),
                open_until = open_until - \(time)
            """
        let (end, _, talk) = try await ChildProcess("sqlite3", [self.demo.store, sql]).run()
        guard end == .exited(0) else { throw GaveUp(description: "sqlite3 ended with \(end): \(talk)") }
    }

    /// Calls the API as a deployed box does, signed, on a connection of its own.
    func call(
        _ method: HTTPClient.Method, _ path: String, form: String? = nil, headers: HTTPClient.Headers = [:],
        requestor: String = DemoFolder.compatibleRequestor
    ) async throws -> HTTPClient.Response {
        try await HTTPClient.sendOnce(
            self.signed(method, path, form: form, headers: headers, requestor: requestor))
    }

    /// A call of a deployed box, signed now.
    func signed(
        _ method: HTTPClient.Method, _ path: String, form: String? = nil, headers: HTTPClient.Headers = [:],
        requestor: String = DemoFolder.compatibleRequestor, nonce: String = "\(UUID())"
    ) -> HTTPClient.Request {
        var request = HTTPClient.Request(method, self.server.url + path, headers: headers)
        request.timeout = .seconds(120)
        request.headers["Accept"] = "application/json"
        request.headers["Authorization"] = self.demo.authorization(
            method.rawValue, String(path.prefix { $0 != "?" }), requestor: requestor, nonce: nonce)
        if let form {
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            request.body = Array(form.utf8)
        }
        return request
    }

    /// Creates a code for a box that is not the box program.
    func createCode(device: String, requestor: String = DemoFolder.compatibleRequestor) async throws -> String {
        let path = "/reggie/v1/\(requestor)/regcode"
        let response = try await self.call(.post, path, form: "deviceId=\(device)", requestor: requestor)
        guard response.status == 201, let code = try JSON(parsing: response.text)["code"]?.text else {
            throw GaveUp(description: "no code: \(response.status) \(response.text)")
        }
        return code
    }
}

var pair: Pair { Pair.$current.lent() }

extension Trait where Self == Lending<Pair> {
    static var pair: Self { Lending(Pair.$current) { try await Pair.with($0) } }
}
