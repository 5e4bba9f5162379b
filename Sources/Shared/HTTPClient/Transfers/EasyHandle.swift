import CCurl

/// libcurl's handle of one transfer, and the header list it points to.
@safe struct EasyHandle: ~Copyable {
    private let handle: UnsafeMutableRawPointer?
    private var headers: UnsafeMutablePointer<curl_slist>?

    init() {
        unsafe self.handle = curl_easy_init()
        unsafe self.headers = nil
    }

    deinit {
        if let handle = unsafe self.handle { unsafe curl_easy_cleanup(handle) }
        // CURLOPT_HTTPHEADER(3): the list is ours, and is freed after the transfer.
        unsafe curl_slist_free_all(self.headers)
    }

    /// Lends the raw handle to the multi handle.
    func withHandle<Result>(_ body: (UnsafeMutableRawPointer?) -> Result) -> Result { unsafe body(self.handle) }

    var address: UInt { unsafe UInt(bitPattern: self.handle) }

    func set(_ option: CURLoption, _ value: Int) throws(HTTPClientError) {
        try check(unsafe ccurl_set_long(self.handle, option, value))
    }

    func set(_ option: CURLoption, offset value: Int) throws(HTTPClientError) {
        try check(unsafe ccurl_set_offset(self.handle, option, curl_off_t(value)))
    }

    /// libcurl copies the text.
    func set(_ option: CURLoption, _ text: String?) throws(HTTPClientError) {
        try check(unsafe ccurl_set_text(self.handle, option, text))
    }

    /// Sets the header lines, once.
    mutating func setHeaders(_ lines: [String]) throws(HTTPClientError) {
        for line in lines {
            // curl_slist_append(3) copies the text, and returns nil and leaves the list as it is when memory runs out.
            guard let longer = unsafe curl_slist_append(self.headers, line) else {
                throw HTTPClientError(curl: CURLE_OUT_OF_MEMORY)
            }
            unsafe self.headers = longer
        }
        try check(unsafe ccurl_set_headers(self.handle, self.headers))
    }

    /// libcurl copies the bytes.
    func setBody(_ bytes: [UInt8]) throws(HTTPClientError) {
        // An empty array may lend no address, and libcurl takes that for "read the body from a callback".
        let code = unsafe (bytes.isEmpty ? [0] : bytes).withUnsafeBufferPointer { buffer in
            unsafe ccurl_set_body(self.handle, buffer.baseAddress, bytes.count)
        }
        try check(code)
    }

    /// Sends body and header lines to `receiver`, which the caller keeps alive for as long as this handle.
    func setReceiver(_ receiver: Transfer) throws(HTTPClientError) {
        let context = unsafe Unmanaged.passUnretained(receiver).toOpaque()
        try check(unsafe ccurl_set_body_receiver(self.handle, receiveBody, context))
        try check(unsafe ccurl_set_header_receiver(self.handle, receiveHeader, context))
    }

    /// The status of the last response, 0 before the first.
    var status: Int { self.number(CURLINFO_RESPONSE_CODE) }
    /// The status of the proxy's last answer to CONNECT, 0 without one.
    var proxyStatus: Int { self.number(CURLINFO_HTTP_CONNECTCODE) }
    /// OpenSSL's verdict about the server's certificate, 0 for one that it found nothing wrong with or did not see.
    var verifyResult: Int { self.number(CURLINFO_SSL_VERIFYRESULT) }
    var proxyVerifyResult: Int { self.number(CURLINFO_PROXY_SSL_VERIFYRESULT) }

    private func number(_ information: CURLINFO) -> Int {
        var number = 0
        return unsafe ccurl_get_long(self.handle, information, &number) == CURLE_OK ? number : 0
    }

    var cookieLines: [String] {
        var list: UnsafeMutablePointer<curl_slist>?
        guard unsafe ccurl_get_list(self.handle, CURLINFO_COOKIELIST, &list) == CURLE_OK else { return [] }
        // CURLINFO_COOKIELIST(3): the list is ours to free.
        defer { unsafe curl_slist_free_all(list) }
        return unsafe texts(list)
    }

    /// The names and addresses in the certificate looked at last, such as `DNS:tv.example, IP Address:192.0.2.1`.
    var certificateNames: String? {
        let label = "X509v3 Subject Alternative Name:"
        let line = unsafe texts(ccurl_certificate_lines(self.handle)).first { $0.hasPrefix(label) }
        return line.map { String($0.dropFirst(label.count)) }
    }
}

private func texts(_ list: UnsafeMutablePointer<curl_slist>?) -> [String] {
    var texts: [String] = []
    var next = unsafe list
    while let node = unsafe next {
        if let text = unsafe node.pointee.data { texts.append(unsafe String(cString: text)) }
        unsafe next = unsafe node.pointee.next
    }
    return texts
}

private func check(_ code: CURLcode) throws(HTTPClientError) {
    guard code == CURLE_OK else { throw HTTPClientError(curl: code) }
}

/// libcurl's body callback: returning anything but the size it gave ends the transfer (CURLOPT_WRITEFUNCTION(3)).
private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe transfer.receive(body: buffer) ? size * count : 0
}

/// libcurl's header callback, once for each whole line (CURLOPT_HEADERFUNCTION(3)).
private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer.receive(headerLine: unsafe String(decoding: buffer, as: UTF8.self)) ? size * count : 0
}
