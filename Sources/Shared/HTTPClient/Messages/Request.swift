extension HTTPClient {
    package enum Method: String, Sendable, Hashable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
        case options = "OPTIONS"
    }

    package struct Request: Sendable {
        package var method: Method
        /// Absolute, `http` or `https`, already percent-encoded.
        package var url: String
        package var headers: Headers
        /// `nil` sends no body; an empty one is a body of no bytes.
        package var body: [UInt8]?
        /// The most bytes of body a response may have.
        package var responseLimit: Int
        /// How long the whole exchange may take, the connection included.
        package var timeout: Duration
        /// Whether it goes on when its task is cancelled.
        package var runsToItsEnd = false
        /// How many redirections are followed; 0 returns the first one as a response.
        package var redirectLimit = 0
        /// Speaks to this socket instead of the URL's host and port; the URL still names the host in `Host`.
        package var unixSocketPath: String?
        /// Sends cookies from here and keeps new ones here; `nil` neither sends nor keeps any.
        package var cookieJar: CookieJar?

        package init(
            _ method: Method, _ url: String, headers: Headers = [:], body: [UInt8]? = nil, limit: Int = 1 << 20,
            time: Duration = .seconds(30)
        ) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
            self.responseLimit = limit
            self.timeout = time
        }
    }
}
