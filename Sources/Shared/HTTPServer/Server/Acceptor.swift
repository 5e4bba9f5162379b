import Glibc
import POSIX
import Synchronization

/// Accepts connections on every address of a server and hands them to the threads that serve them.
///
/// libmicrohttpd could accept by itself. But the call with which it stops accepting, `MHD_quiesce_daemon`, races in
/// version 0.9.75 with the threads it stops: both remove the listening socket from the same epoll set, and the second
/// to do so ends the process. A daemon without a listening socket has no such call to make.
final class Acceptor: Sendable {
    /// An address, and the daemons that serve its connections in turn.
    final class Listener: Sendable {
        let socket: ListenSocket
        let usesTLS: Bool
        private let daemons: [Daemon]
        private let next = Atomic<Int>(0)

        init(socket: ListenSocket, usesTLS: Bool, daemons: [Daemon]) {
            self.socket = socket
            self.usesTLS = usesTLS
            self.daemons = daemons
        }

        /// - Returns: `false` when the connection was closed instead.
        func handOver(_ connection: consuming AcceptedSocket) -> Bool {
            let turn = self.next.add(1, ordering: .relaxed).oldValue
            return self.daemons[turn % self.daemons.count].serve(connection)
        }

        /// Stops the daemons. Blocks.
        func stop() { for daemon in self.daemons { daemon.stop() } }
    }

    let listeners: [Listener]
    private let core: ServerCore
    private let events: EventSet
    private let isStopping = Atomic<Bool>(false)
    private let ended = Announcement<Void>()

    /// - Returns: `nil` when the process may open no more files.
    init?(_ listeners: [Listener], core: ServerCore) {
        guard let events = EventSet() else { return nil }
        for (index, listener) in listeners.enumerated() {
            guard listener.socket.watch(in: events, tag: UInt64(index)) else { return nil }
        }
        self.listeners = listeners
        self.core = core
        self.events = events
    }

    var addresses: [HTTPListenerAddress] { self.listeners.map(\.socket.address) }

    /// Accepts until `stop`. Blocks its thread.
    func run() {
        while !self.isStopping.load(ordering: .acquiring) {
            let ready = self.events.wait().filter { $0.tag != EventSet.wakeTag }
            let isHindered = ready.contains { !self.accept(on: self.listeners[Int($0.tag)]) }
            // Out of descriptors or memory: the connection stays in the kernel's queue, which will not help to ask
            // again at once.
            if isHindered { usleep(20_000) }
        }
        for listener in self.listeners { listener.socket.stop() }
        self.ended.make(.success(()))
    }

    /// Takes what waits, though not so much that another address starves. - Returns: `false` when the system refused.
    private func accept(on listener: Listener) -> Bool {
        for _ in 0..<64 {
            switch AcceptedSocket.accept(from: listener.socket) {
            case .accepted(let connection):
                self.admit(connection, on: listener)
            case .nothing:
                return true
            case .refused:
                return false
            }
        }
        return true
    }

    private func admit(_ connection: consuming AcceptedSocket, on listener: Listener) {
        let address = connection.remoteAddress
        let peer = self.core.identifiesPeers && address == .unix ? UnixPeer(of: connection.descriptor) : nil
        let record = ConnectionRecord(
            descriptor: connection.descriptor, remoteAddress: address, remotePort: connection.remotePort, peer: peer,
            deadline: MonotonicTime.now() + self.core.limits.gapTime)
        let admission = self.core.connections.admit(record)
        switch admission {
        case .admitted, .admittedForSilent:
            if case .admittedForSilent = admission { self.core.accounts.refused(.tooManyConnections) }
            self.core.lot.beginWatching()
            if !listener.handOver(connection) { self.core.connections.remove(record) }
        case .full:
            self.core.accounts.refused(.tooManyConnections)
            if !listener.usesTLS { connection.answer(RawResponse.full) }
        case .addressFull:
            self.core.accounts.refused(.tooManyConnections)
        }
    }

    /// Returns when no client can connect any more.
    func stop() async {
        self.isStopping.store(true, ordering: .releasing)
        self.events.wake()
        // `ended` announces the end and nothing else.
        try? await self.ended.value
    }
}
