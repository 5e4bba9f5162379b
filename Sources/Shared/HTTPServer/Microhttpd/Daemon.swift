import CMicrohttpd
import Glibc
import Synchronization

/// One listening address and the threads that serve it.
///
/// Sendable by argument, not by construction: the handle is written once, in `start`; after that it is only passed to
/// `MHD_quiesce_daemon` and `MHD_stop_daemon`, which libmicrohttpd allows from any thread, in this order, each at most
/// once. `stop` takes the handle out of a lock, so it is.
@safe final class Daemon: @unchecked Sendable {
    let address: HTTPListenerAddress
    private let handle: Mutex<Handle>
    /// Retained for the callbacks until the daemon's threads have ended.
    private let context: Unmanaged<DaemonContext>

    @safe private struct Handle {
        nonisolated(unsafe) var daemon: OpaquePointer?
        var isQuiesced = false
    }

    private init(_ daemon: OpaquePointer, address: HTTPListenerAddress, context: Unmanaged<DaemonContext>) {
        self.address = address
        self.handle = unsafe Mutex(Handle(daemon: daemon))
        unsafe self.context = context
    }

    static func start(
        on socket: consuming ListenSocket, core: ServerCore, configuration: HTTPServerConfiguration
    ) throws(HTTPServerError) -> Daemon {
        let address = socket.address
        let tls = address.port == nil ? nil : configuration.tls
        let context = unsafe Unmanaged.passRetained(DaemonContext(core: core, isSecure: tls != nil))
        var options = unsafe DaemonOptions(configuration, tls: tls, context: context.toOpaque())
        let descriptor = socket.release()
        let daemon = unsafe options.start(listening: descriptor)
        guard let daemon = unsafe daemon else {
            let number = errno
            close(descriptor)
            unsafe context.release()
            let code: HTTPServerError.Code = tls == nil ? .failed : .badTLS
            throw HTTPServerError(code: code, address: address.description, errno: number, detail: nil)
        }
        return unsafe Daemon(daemon, address: address, context: context)
    }

    /// Stops accepting. Connections that are open go on.
    func quiesce() {
        self.handle.withLock { handle in
            guard let daemon = unsafe handle.daemon, !handle.isQuiesced else { return }
            handle.isQuiesced = true
            // "Stop accepting connections from the listening socket. … The caller is responsible for closing it."
            let descriptor = unsafe MHD_quiesce_daemon(daemon)
            if descriptor >= 0 { close(descriptor) }
        }
        if case .unix(let path, _) = self.address { unsafe unlink(path) }
    }

    /// Closes every connection and waits for the threads. Blocks. No connection may be suspended.
    func stop() {
        self.quiesce()
        let daemon = unsafe self.handle.withLock { handle in
            defer { unsafe handle.daemon = nil }
            return unsafe SendablePointer(value: handle.daemon)
        }
        guard let daemon = unsafe daemon.value else { return }
        unsafe MHD_stop_daemon(daemon)
        unsafe self.context.release()
    }
}

/// Carries a pointer out of a lock that gives it away.
@unsafe private struct SendablePointer: @unchecked Sendable {
    let value: OpaquePointer?
}
