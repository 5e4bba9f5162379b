import Glibc

/// Starts a detached thread with every signal blocked.
///
/// Signals are for the program's own threads; and OpenSSL writes to sockets whose other end may be gone, which would
/// raise SIGPIPE (CURLOPT_NOSIGNAL(3) leaves that to the program).
/// - Returns: whether there is such a thread now.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let box = unsafe Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    // The thread owns the box from here on, and takes it once.
    let code = unsafe pthread_create(&thread, nil, threadMain, box.toOpaque())
    guard code == 0 else {
        unsafe box.release()
        return false
    }
    pthread_detach(thread)
    return true
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let body = unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
    var signals = sigset_t()
    unsafe sigfillset(&signals)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    body.run()
    return nil
}
