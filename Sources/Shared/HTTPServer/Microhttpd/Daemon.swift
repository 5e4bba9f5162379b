import CMicrohttpd
import Glibc
import Synchronization

/// One thread that serves connections it is given.
///
/// Sendable by argument, not by construction: `MHD_add_connection` may be called from any thread while the daemon
/// runs, and `MHD_stop_daemon` once, after the last of those calls. The acceptor, the only caller of `serve`, has ended
/// before `stop` is called; that a second `stop` does nothing is the lock's doing.
@safe final class Daemon: @unchecked Sendable {
    private let handle: Mutex<Handle>
    /// Retained for the callbacks until the daemon's thread has ended.
    private let context: Unmanaged<DaemonContext>

    @safe private struct Handle {
        /// `nil` once the daemon is stopped.
        nonisolated(unsafe) var daemon: OpaquePointer?
    }

    private init(_ daemon: OpaquePointer, context: Unmanaged<DaemonContext>) {
        self.handle = unsafe Mutex(Handle(daemon: daemon))
        unsafe self.context = context
    }

    /// - Parameters:
    ///   - tls: what libmicrohttpd starts with; `nil` without TLS.
    ///   - certificate: what connections use; `nil` without TLS.
    /// - Returns: `nil` when libmicrohttpd will not start: with `tls`, because of the certificate or its key.
    static func start(
        core: ServerCore, configuration: HTTPServerConfiguration, tls: HTTPServerConfiguration.TLS?,
        certificate: ServedCertificate?
    ) -> Daemon? {
        let shared = DaemonContext(core: core, certificate: certificate)
        let context = unsafe Unmanaged.passRetained(shared)
        var options = unsafe DaemonOptions(
            configuration: configuration, tls: tls, context: context.toOpaque(), logger: shared.unread.logger)
        guard let daemon = unsafe options.start() else {
            unsafe context.release()
            return nil
        }
        return unsafe Daemon(daemon, context: context)
    }

    /// Serves the connection. - Returns: `false` when it was closed, because the daemon is stopped or cannot.
    func serve(_ connection: consuming AcceptedSocket) -> Bool {
        let pointer = unsafe self.handle.withLock { unsafe SendablePointer(value: $0.daemon) }
        guard let daemon = unsafe pointer.value else { return false }
        // "The given client socket will be managed (and closed!) by MHD after this call and must no longer be used."
        return unsafe connection.release { descriptor, address, length in
            unsafe MHD_add_connection(daemon, descriptor, address, length) == .YES
        }
    }

    /// Closes every connection and waits for the thread. Blocks. No thread may be in `serve`, and no connection
    /// suspended.
    func stop() {
        let pointer = unsafe self.handle.withLock { handle in
            defer { unsafe handle.daemon = nil }
            return unsafe SendablePointer(value: handle.daemon)
        }
        guard let daemon = unsafe pointer.value else { return }
        unsafe MHD_stop_daemon(daemon)
        unsafe self.context.release()
    }
}

/// Carries a pointer out of a lock that guards it.
@unsafe private struct SendablePointer: @unchecked Sendable {
    let value: OpaquePointer?
}

/// The state of the callbacks of one daemon.
final class DaemonContext: Sendable {
    let core: ServerCore
    /// `nil` without TLS.
    let certificate: ServedCertificate?
    let stock = ResponseStock()
    let unread = UnreadRequests()

    init(core: ServerCore, certificate: ServedCertificate?) {
        self.core = core
        self.certificate = certificate
    }

    var isSecure: Bool { self.certificate != nil }
}
