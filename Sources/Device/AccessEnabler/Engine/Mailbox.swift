/// The one queue of everything the library has to do, in the order it was asked (access-enabler 2.1).
final class Mailbox: Sendable {
    enum Letter: Sendable {
        case call(Call)
        /// Something the library does beside the queue, such as asking a server.
        case work(@Sendable () async -> Void)
    }

    let letters: AsyncStream<Letter>
    private let continuation: AsyncStream<Letter>.Continuation

    init() {
        (self.letters, self.continuation) = AsyncStream.makeStream(of: Letter.self, bufferingPolicy: .unbounded)
    }

    func send(_ call: Call) { self.continuation.yield(.call(call)) }

    func run(_ work: @escaping @Sendable () async -> Void) { self.continuation.yield(.work(work)) }

    func close() { self.continuation.finish() }
}
