import CMicrohttpd
import Glibc

// The functions libmicrohttpd calls, all on the thread of the connection concerned. `context` is the daemon's
// `DaemonContext`, alive until `MHD_stop_daemon` has returned. A connection's context is its `ConnectionRecord`, a
// request's its `Exchange`; each is retained when it is stored and released by the callback that ends it.

/// A connection was accepted, or is about to be closed.
func connectionCallback(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ event: MHD_ConnectionNotificationCode
) {
    guard let context = unsafe context, let connection = unsafe connection, let socketContext = unsafe socketContext
    else { return }
    let daemon = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
    let core = daemon.core
    if event == .CONNECTION_NOTIFY_STARTED {
        // The acceptor has counted it. No request of a connection without a record is answered.
        guard let record = core.connections.record(of: unsafe latchkey_connection_fd(connection)) else { return }
        daemon.unread.begin(record)
        if let credentials = daemon.certificate?.current {
            record.tls = unsafe TLSSession(of: connection, record.descriptor, core, credentials)
        }
        unsafe socketContext.pointee = Unmanaged.passRetained(record).toOpaque()
    } else if let stored = unsafe socketContext.pointee {
        let record = unsafe Unmanaged<ConnectionRecord>.fromOpaque(stored).takeRetainedValue()
        unsafe socketContext.pointee = nil
        // Its last request, if any, has ended: it was late with the next.
        if record.wasLate { core.accounts.refused(.timedOut) }
        // libmicrohttpd has ended TLS already: such a client gets no answer there.
        if !daemon.isSecure, !core.isStopping,
            daemon.unread.isClosedUnanswered(record, requestTime: core.limits.requestTime)
        {
            core.accounts.refused(.badFraming)
            _ = core.lot.linger(record.descriptor, sending: RawResponse.badRequest, to: record.remoteAddress)
        }
        core.connections.remove(record)
    }
}

/// A request line has come; the target is still as received. The result becomes the request's context.
func requestLineCallback(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context, let target = unsafe target, let connection = unsafe connection,
        let stored = unsafe latchkey_socket_context(connection)
    else { return nil }
    let daemon = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
    let record = unsafe Unmanaged<ConnectionRecord>.fromOpaque(stored).takeUnretainedValue()
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
    unsafe joinParameters(of: target, bytes)
    let exchange = Exchange(
        target: bytes, targetAddress: UInt(bitPattern: target), connection: record, core: daemon.core,
        isSecure: daemon.isSecure)
    unsafe daemon.unread.addHead(exchange, connection)
    return unsafe Unmanaged.passRetained(exchange).toOpaque()
}

/// Makes one parameter of very many, for libmicrohttpd alone: the target has been copied, and is taken apart by us.
///
/// libmicrohttpd 0.9.75 records each parameter in the connection's memory. When that runs out in the middle of a query
/// (some 1,200 parameters), it queues an error, reads on as if it had not, and neither answers nor closes.
///
/// - Parameter target: lies in the connection's read buffer, in which libmicrohttpd itself splits the query after this
///   call; hence it can be written to, although the callback's type does not say so.
private func joinParameters(of target: UnsafePointer<CChar>, _ bytes: [UInt8]) {
    let separator = UInt8(ascii: "&")
    guard bytes.count > 256, bytes.span.holds(257, of: separator) else { return }
    let text = unsafe UnsafeMutablePointer(mutating: target)
    for (index, byte) in bytes.enumerated() where byte == separator { unsafe text[index] = 0x5F }
}

/// The headers are complete; then parts of the body; then, with nothing, the request is complete, or the connection has
/// been resumed.
func receiveCallback(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ part: UnsafePointer<CChar>?,
    _ partSize: UnsafeMutablePointer<Int>?, _ requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context = unsafe context, let connection = unsafe connection, let method = unsafe method,
        let partSize = unsafe partSize, let stored = unsafe requestContext?.pointee
    else { return .NO }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(stored).takeUnretainedValue()
    let daemon = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
    let step: Exchange.Step
    if exchange.isRequestLineOnly {
        daemon.unread.removeHead(exchange)
        guard let version = unsafe version else { return .NO }
        let headers = unsafe ReceivedHead.read(
            connection, method: method, target: exchange.targetPlace, version: version)
        step = unsafe exchange.receive(
            method: HTTPMethod(cString: method), headers: headers, isVersion10: strcmp(version, "HTTP/1.0") == 0)
        if exchange.isReceivingChunks { unsafe daemon.unread.addChunks(exchange, connection) }
    } else if unsafe partSize.pointee > 0 {
        step = unsafe exchange.receive(UnsafeRawBufferPointer(start: part, count: partSize.pointee))
        unsafe partSize.pointee = 0
    } else {
        step = exchange.reply()
    }
    switch consume step {
    case .proceed: return .YES
    case .close: return .NO
    case .refuse(let response):
        guard let outgoing = OutgoingResponse(response, closing: true) else { return .NO }
        return unsafe outgoing.queue(response.status, on: connection)
    case .answer(let response):
        return unsafe answer(connection, exchange, response, daemon)
    case .suspend(let later):
        unsafe suspend(connection, exchange, later, daemon.core)
        return .YES
    }
}

private func answer(
    _ connection: OpaquePointer, _ exchange: Exchange, _ response: HTTPResponse, _ daemon: DaemonContext
) -> MHD_Result {
    let isClosing = daemon.core.isStopping
    if !isClosing, let stocked = daemon.stock.take(response) {
        exchange.stocked = stocked
        return unsafe stocked.queue(on: connection)
    }
    guard let outgoing = OutgoingResponse(response, closing: isClosing) else { return .NO }
    return unsafe outgoing.queue(response.status, on: connection)
}

func completedCallback(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
    guard let requestContext = unsafe requestContext, let stored = unsafe requestContext.pointee else { return }
    unsafe requestContext.pointee = nil
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(stored).takeRetainedValue()
    if let context = unsafe context {
        let daemon = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
        if exchange.isRequestLineOnly { daemon.unread.removeHead(exchange) }
        daemon.unread.removeChunks(exchange)
        exchange.stocked?.giveBack()
    }
    exchange.end(isLate: reason == .REQUEST_TERMINATED_TIMEOUT_REACHED)
}

/// libmicrohttpd logs something, mostly because it is about to answer by itself. The words are of no use: they do not
/// tell the connection. `context` is the daemon's `UnreadRequests`.
func logCallback(_ context: UnsafeMutableRawPointer?, _ status: UInt32) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<UnreadRequests>.fromOpaque(context).takeUnretainedValue().refuse(before: status)
}

/// Leaves the text as it is: paths and parameters are decoded by this target, and only when they are needed.
func unescapeCallback(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ text: UnsafeMutablePointer<CChar>?
) -> Int {
    guard let text = unsafe text else { return 0 }
    return unsafe strlen(text)
}

private func suspend(_ connection: OpaquePointer, _ exchange: Exchange, _ later: HTTPReply, _ core: ServerCore) {
    // "The only safe way to call this function is to call it from the MHD_AccessHandlerCallback": we are in it. The
    // connection is suspended before its reply learns of it, so no caller can resume it too early.
    unsafe MHD_suspend_connection(connection)
    let reply: HeldReply? = if case .held(let reply) = later { reply } else { nil }
    let suspension = unsafe Suspension(connection, reply: reply, in: core.suspensions)
    exchange.suspend(suspension)
    guard core.suspensions.insert(suspension) else {
        suspension.send(reply?.abandon() ?? ParkingLot.unavailable)
        return
    }
    switch later {
    case .now(let response): suspension.send(response)
    case .later(let work, let here, let scope):
        // Unstructured, because this is where C ends: the task's end resumes the connection, and stopping the server
        // cancels it through the suspension.
        let task = { here ? Task.immediate { suspension.send(await work()) } : Task { suspension.send(await work()) } }
        if let scope { scope { suspension.started(task()) } } else { suspension.started(task()) }
    case .held(let reply):
        // The connection's thread is this one, so it is not resumed and closed before it is watched.
        core.lot.watch(suspension, on: exchange.connection.descriptor)
        if let response = reply.hold(by: suspension) { suspension.send(response) }
    }
}

extension HTTPMethod {
    /// Compares before it allocates: almost every method is one of two.
    fileprivate init(cString text: UnsafePointer<CChar>) {
        if unsafe strcmp(text, "GET") == 0 {
            self = .get
        } else if unsafe strcmp(text, "POST") == 0 {
            self = .post
        } else {
            self.init(unsafe String(cString: text))
        }
    }
}
