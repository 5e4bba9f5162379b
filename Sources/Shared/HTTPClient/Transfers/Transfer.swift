import CCurl

/// One transfer while libcurl works on it: the handle, what has arrived, and the caller that waits.
///
/// Only the loop's thread holds one, and libcurl's callbacks run on that thread too.
final class Transfer {
    private static let headerLimit = 64 << 10

    private var easy = EasyHandle()
    private let continuation: TransferContinuation
    private let responseLimit: Int
    private let cookieJar: CookieJar?
    let keptConnections: Int

    private var headers: HTTPClient.Headers = [:]
    private var headerSize = 0
    private var body: [UInt8] = []
    private var isTooLarge = false

    init(_ plan: TransferPlan, _ continuation: TransferContinuation) {
        self.continuation = continuation
        self.responseLimit = max(0, plan.request.responseLimit)
        self.cookieJar = plan.request.cookieJar
        self.keptConnections = min(max(plan.configuration.keptConnections, 1), 64)
    }

    /// Tells libcurl everything about the transfer.
    func configure(keeping plan: TransferPlan) throws(HTTPClientError) {
        let request = plan.request
        try self.easy.set(CURLOPT_URL, request.url)
        try self.easy.set(CURLOPT_NOSIGNAL, 1)
        // This keeps a call that is given up during a name lookup from waiting for the resolver
        // (CURLOPT_QUICK_EXIT(3)).
        try self.easy.set(CURLOPT_QUICK_EXIT, 1)
        try self.easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try self.easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        try self.easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try self.easy.set(CURLOPT_UNIX_SOCKET_PATH, request.unixSocketPath)
        try self.easy.setReceiver(self)
        try self.configureLimits(request, plan.configuration)
        try self.configureVerb(request)
        try self.easy.setHeaders(plan.headerLines)
        try self.configureWay(plan.configuration)
        if let jar = request.cookieJar {
            // CURLOPT_COOKIEFILE(3): the empty name switches the cookie engine on and reads no file.
            try self.easy.set(CURLOPT_COOKIEFILE, "")
            for line in jar.lines { try self.easy.set(CURLOPT_COOKIELIST, line) }
        }
    }

    private func configureLimits(
        _ request: HTTPClient.Request, _ configuration: HTTPClient.Configuration
    ) throws(HTTPClientError) {
        try self.easy.set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(configuration.connectTimeout))
        try self.easy.set(CURLOPT_TIMEOUT_MS, milliseconds(request.timeout))
        // Ends a transfer early whose length is announced; the receiver counts the others.
        try self.easy.set(CURLOPT_MAXFILESIZE_LARGE, offset: max(1, self.responseLimit))
        try self.easy.set(CURLOPT_FOLLOWLOCATION, request.redirectLimit > 0 ? 1 : 0)
        try self.easy.set(CURLOPT_MAXREDIRS, max(0, request.redirectLimit))
        try self.easy.set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    }

    private func configureVerb(_ request: HTTPClient.Request) throws(HTTPClientError) {
        if let body = request.body { try self.easy.setBody(body) }
        switch request.method {
        case .get where request.body == nil: try self.easy.set(CURLOPT_HTTPGET, 1)
        case .head: try self.easy.set(CURLOPT_NOBODY, 1)
        case .post:
            // CURLOPT_POST rather than a custom verb, so that a followed 303 becomes a GET.
            if request.body == nil { try self.easy.setBody([]) }
            try self.easy.set(CURLOPT_POST, 1)
        case .get, .put, .delete, .options: try self.easy.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
    }

    private func configureWay(_ configuration: HTTPClient.Configuration) throws(HTTPClientError) {
        // CURLOPT_PROXY(3): the empty text means no proxy, even if an environment variable names one.
        try self.easy.set(CURLOPT_PROXY, configuration.proxy ?? "")
        try self.easy.set(CURLOPT_NOPROXY, configuration.hostsWithoutProxy.joined(separator: ","))
        try self.easy.set(CURLOPT_CERTINFO, 1)
        // The system's folder of hashed names is read one certificate at a time; the bundle, which libcurl would read too,
        // costs a small box several megabytes and milliseconds.
        try self.easy.set(CURLOPT_CAINFO, configuration.authorityFile)
        // A proxy may be of the distribution's authorities, too.
        try self.easy.set(CURLOPT_PROXY_CAINFO, configuration.authorityFile)
        if configuration.authorityFile != nil {
            try self.easy.set(CURLOPT_CAPATH, nil)
            // libcurl would use for a day what it read, though the file may be replaced (CURLOPT_CA_CACHE_TIMEOUT(3)).
            try self.easy.set(CURLOPT_CA_CACHE_TIMEOUT, 0)
        }
        guard let identity = configuration.identity else { return }
        try self.easy.set(CURLOPT_SSLCERT, identity.certificateFile)
        try self.easy.set(CURLOPT_SSLKEY, identity.keyFile)
    }

    /// Whether libcurl means this transfer by the easy handle at `address`.
    func isOn(_ address: UInt) -> Bool { self.easy.address == address }

    func withHandle<Result>(_ body: (UnsafeMutableRawPointer?) -> Result) -> Result {
        unsafe self.easy.withHandle(body)
    }

    /// Takes a piece of body. False when it is too much.
    func receive(body piece: UnsafeRawBufferPointer) -> Bool {
        guard piece.count <= self.responseLimit - self.body.count else {
            self.isTooLarge = true
            return false
        }
        unsafe self.body.append(contentsOf: piece)
        return true
    }

    /// Takes a header line with its line end. False when there are too many.
    func receive(headerLine line: String) -> Bool {
        // Each response begins with its status line: forget an interim one, or the one that redirected.
        if line.hasPrefix("HTTP/") {
            self.headers = [:]
            self.headerSize = 0
        }
        self.headerSize += line.utf8.count
        guard self.headerSize <= Self.headerLimit else {
            self.isTooLarge = true
            return false
        }
        if let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) {
            self.headers.append(
                String(line[..<colon]), trimmed(line[line.index(after: colon)...]))
        }
        return true
    }

    /// Answers with what arrived, or with why it did not.
    func finish(_ result: CURLcode) {
        guard result == CURLE_OK else {
            var error = self.isTooLarge ? HTTPClientError(.tooLarge) : HTTPClientError(curl: result)
            // libcurl takes a refused CONNECT for a connection that was lost.
            let proxyStatus = self.easy.proxyStatus
            if proxyStatus >= 300 {
                error = HTTPClientError(
                    .unreachable, curlCode: result.rawValue, detail: "the proxy answers \(proxyStatus)",
                    proxyStatus: proxyStatus)
            }
            if result == CURLE_PEER_FAILED_VERIFICATION {
                let (ofServer, ofProxy) = (self.easy.verifyResult, self.easy.proxyVerifyResult)
                error.isOfProxy = ofServer == 0 && ofProxy != 0
                error.certificateFault = .init(verifyResult: error.isOfProxy ? ofProxy : ofServer)
                error.certificateNames = self.easy.certificateNames
            }
            self.answer(.failure(error))
            return
        }
        self.cookieJar?.replace(with: self.easy.cookieLines)
        self.answer(
            .success(HTTPClient.Response(status: self.easy.status, headers: self.headers, body: self.body)))
    }

    func answer(_ result: Result<HTTPClient.Response, HTTPClientError>) {
        self.continuation.resume(returning: result)
    }
}

/// At least one, since libcurl takes 0 for "no limit", and at most a day.
private func milliseconds(_ duration: Duration) -> Int {
    let limited = min(max(duration, .milliseconds(1)), .seconds(86_400))
    let (seconds, attoseconds) = limited.components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
}

private func trimmed(_ text: Substring) -> String {
    var text = text
    while let first = text.unicodeScalars.first, first == " " || first == "\t" { text.unicodeScalars.removeFirst() }
    while let last = text.unicodeScalars.last, last.value <= 0x20 { text.unicodeScalars.removeLast() }
    return String(text)
}
