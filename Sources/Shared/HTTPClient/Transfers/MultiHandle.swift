import CCurl
import POSIX

/// Sets libcurl up for the process, once. Swift runs this one time, however many threads ask (curl_global_init(3)).
private let isCurlReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

/// libcurl's multi handle with its connection cache, on one thread.
@safe struct MultiHandle: ~Copyable {
    private let handle: UnsafeMutableRawPointer?

    init() { unsafe self.handle = isCurlReady ? curl_multi_init() : nil }

    deinit {
        // Every easy handle was removed before: RunningTransfers ends its transfers first.
        if let handle = unsafe self.handle { unsafe curl_multi_cleanup(handle) }
    }

    /// - Throws: when libcurl is not to be had.
    func add(_ transfer: Transfer) throws(HTTPClientError) {
        guard let handle = unsafe self.handle else {
            throw HTTPClientError(.other, detail: "libcurl cannot be initialised")
        }
        _ = unsafe ccurl_set_multi_long(handle, CURLMOPT_MAXCONNECTS, transfer.keptConnections)
        guard unsafe transfer.withHandle({ unsafe curl_multi_add_handle(handle, $0) }) == CURLM_OK else {
            throw HTTPClientError(.other, detail: "libcurl takes no more transfers")
        }
    }

    func remove(_ transfer: Transfer) {
        guard let handle = unsafe self.handle else { return }
        _ = unsafe transfer.withHandle { unsafe curl_multi_remove_handle(handle, $0) }
    }

    func perform() {
        guard let handle = unsafe self.handle else { return }
        var count: Int32 = 0
        unsafe curl_multi_perform(handle, &count)
    }

    /// The next finished transfer, by the address of its easy handle, and its result.
    func nextFinished() -> (finished: UInt, result: CURLcode)? {
        guard let handle = unsafe self.handle else { return nil }
        var result = CURLE_OK
        guard let easy = unsafe ccurl_next_finished(handle, &result) else { return nil }
        return (UInt(bitPattern: easy), result)
    }

    /// Waits for a socket, for one of libcurl's own time limits, or for the bell.
    func wait(orUntilRung bell: borrowing Bell) {
        guard let handle = unsafe self.handle else { return }
        var extra = curl_waitfd(fd: bell.descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        // libcurl shortens the minute to its own next time limit (curl_multi_poll(3)).
        _ = unsafe curl_multi_poll(handle, &extra, 1, 60_000, nil)
        if extra.revents != 0 { bell.hush() }
    }
}
