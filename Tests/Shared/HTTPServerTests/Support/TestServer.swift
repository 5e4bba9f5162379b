import HTTPServer
import Lending
import Lifecycle
import Observability
import Testing

/// A real server on a port of its own, for the length of a closure.
struct TestServer: Sendable {
    @TaskLocal static var current: TestServer?

    let server: HTTPServer
    let address: HTTPListenerAddress
    let metrics: Metrics
    let stop: StopSignal
    /// The replies that `/held` of ``HeldReplyTests`` hands over, and one value for each whose client has left.
    var held = Inbox<HeldReply>()
    var gone = Inbox<Void>()

    func connect() throws -> RawClient { try RawClient(self.address) }

    /// Sends one request on a connection of its own.
    func answer(_ request: String, isHead: Bool = false) async throws -> Answer {
        try await self.connect().answer(to: request, isHead: isHead)
    }

    func metric(_ sample: String) -> String? {
        self.metrics.prometheusText().split(separator: "\n").first { $0.hasPrefix(sample + " ") }
            .map { String($0.dropFirst(sample.count + 1)) }
    }

    /// Returns when a sample has its value: an answer is counted only after it was sent. The suite's limit ends a wait
    /// that is in vain.
    func untilCounted(_ sample: String, _ value: Int) async throws {
        while self.metric(sample) != "\(value)" {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    static func with(
        _ router: Router, address: HTTPListenerAddress = .tcp(host: "127.0.0.1", port: 0), logger: Logger = .silent,
        configure: (inout HTTPServerConfiguration) -> Void = { _ in },
        body: (TestServer) async throws -> Void
    ) async throws {
        var configuration = HTTPServerConfiguration(addresses: [address])
        configuration.threads = 2
        configuration.stopTimeout = .seconds(5)
        configure(&configuration)
        let metrics = Metrics()
        let server = HTTPServer(configuration: configuration, router: router, logger: logger, metrics: metrics)
        let stop = StopSignal()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await StopSignal.$current.withValue(stop) { try await server.run() } }
            let bound = try await server.boundAddresses[0]
            // Whatever the body does, the server is stopped before the group waits for it.
            defer { stop.give() }
            try await body(TestServer(server: server, address: bound, metrics: metrics, stop: stop))
        }
    }
}

var server: TestServer { TestServer.$current.lent() }

extension Trait where Self == Lending<TestServer> {
    static func server(
        _ router: @autoclosure @escaping @Sendable () -> Router,
        configure: @escaping @Sendable (inout HTTPServerConfiguration) -> Void = { _ in }
    ) -> Self {
        Lending(TestServer.$current) { body in
            try await TestServer.with(router(), configure: configure) { try await body($0) }
        }
    }

    /// A server of ``HeldReplyTests``' router.
    static func heldReplies(configure: @escaping @Sendable (inout HTTPServerConfiguration) -> Void = { _ in }) -> Self {
        Lending(TestServer.$current) { body in
            let (held, gone) = (Inbox<HeldReply>(), Inbox<Void>())
            try await TestServer.with(HeldReplyTests.router(held, gone: gone), configure: configure) { server in
                var server = server
                (server.held, server.gone) = (held, gone)
                try await body(server)
            }
        }
    }
}

/// Hands values from handlers to a test, in order.
final class Inbox<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let input: AsyncStream<Value>.Continuation

    init() { (self.stream, self.input) = AsyncStream.makeStream(of: Value.self) }

    func put(_ value: Value) { self.input.yield(value) }

    func next() async throws -> Value {
        for await value in self.stream { return value }
        throw CancellationError()
    }
}

extension Inbox<HeldReply> {
    /// The next reply, once its request is put aside: the handler hands it over a moment earlier.
    func nextHeld() async throws -> HeldReply {
        let reply = try await self.next()
        while !reply.isHeld {
            try Task.checkCancellation()
            await Task.yield()
        }
        return reply
    }
}
