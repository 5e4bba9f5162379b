import CMicrohttpd
import Glibc

/// The options of a daemon, in libmicrohttpd's form. Their targets live until `start` returns, and libmicrohttpd reads
/// key and certificate only there.
@safe struct DaemonOptions {
    let configuration: HTTPServerConfiguration
    let tls: HTTPServerConfiguration.TLS?
    let context: UnsafeMutableRawPointer
    let logger: UnsafeMutablePointer<latchkey_logger>
    private(set) var items = unsafe [MHD_OptionItem]()

    /// TLS 1.2 and 1.3, in the words of GnuTLS, without key transport by RSA (RFC 9325 4.1), which ``TLSSigner`` cannot do.
    private static let tlsPriorities = "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA"

    /// - Returns: `nil` when libmicrohttpd will not start.
    mutating func start() -> OpaquePointer? {
        // Above 32 KiB libmicrohttpd maps the memory by itself. Under TLS malloc gives it pages that handshakes left behind,
        // and they stay resident while a request is held: 15 KB more for each box. Without TLS pages are new mostly.
        unsafe self.add(.CONNECTION_MEMORY_LIMIT, HTTPServerConfiguration.connectionMemory + (self.tls == nil ? 0 : 1))
        // Connections are counted before they get here, over all threads, though not those on the way.
        unsafe self.add(.CONNECTION_LIMIT, self.configuration.maximumConnections + 1024)
        unsafe self.add(.CONNECTION_TIMEOUT, max(1, Int(self.configuration.idleTimeout.components.seconds)))
        let requestLine:
            @convention(c) (
                UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
            ) -> UnsafeMutableRawPointer? = unsafe requestLineCallback
        let completed: MHD_RequestCompletedCallback = unsafe completedCallback
        let connection: MHD_NotifyConnectionCallback = unsafe connectionCallback
        let unescape:
            @convention(c) (
                UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?
            ) -> Int = unsafe unescapeCallback
        unsafe self.add(.URI_LOG_CALLBACK, unsafeBitCast(requestLine, to: Int.self), self.context)
        unsafe self.add(.NOTIFY_COMPLETED, unsafeBitCast(completed, to: Int.self), self.context)
        unsafe self.add(.NOTIFY_CONNECTION, unsafeBitCast(connection, to: Int.self), self.context)
        unsafe self.add(.UNESCAPE_CALLBACK, unsafeBitCast(unescape, to: Int.self), self.context)
        guard let tls else { return unsafe self.start(flags: Self.flags | MHD_USE_TURBO.rawValue) }
        return unsafe tls.certificatePEM.withCString { certificate in
            unsafe tls.keyPEM.withCString { key in
                unsafe Self.tlsPriorities.withCString { priorities in
                    unsafe self.add(.HTTPS_MEM_CERT, certificate)
                    unsafe self.add(.HTTPS_MEM_KEY, key)
                    unsafe self.add(.HTTPS_PRIORITIES, priorities)
                    return unsafe self.start(flags: Self.flags | MHD_USE_TLS.rawValue)
                }
            }
        }
    }

    /// `MHD_USE_TURBO` is added without TLS: with it, libmicrohttpd does not call `shutdown` on a socket before it
    /// closes it, which is what lets a held request keep a duplicate of the socket.
    private static let flags =
        MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
        | MHD_USE_NO_LISTEN_SOCKET.rawValue | MHD_USE_ERROR_LOG.rawValue

    private func start(flags: UInt32) -> OpaquePointer? {
        let end = unsafe MHD_OptionItem(option: .END, value: 0, ptr_value: nil)
        let items = unsafe self.items + [end]
        return unsafe items.withUnsafeBufferPointer { items in
            unsafe latchkey_start_daemon(flags, receiveCallback, self.context, self.logger, items.baseAddress)
        }
    }

    private mutating func add(_ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil) {
        unsafe self.items.append(MHD_OptionItem(option: option, value: value, ptr_value: pointer))
    }

    private mutating func add(_ option: MHD_OPTION, _ text: UnsafePointer<CChar>) {
        unsafe self.add(option, 0, UnsafeMutableRawPointer(mutating: text))
    }
}
