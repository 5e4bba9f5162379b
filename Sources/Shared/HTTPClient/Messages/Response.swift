import CCurl

extension HTTPClient {
    package struct Response: Sendable {
        /// The status code, 100 to 999.
        package let status: Int
        package let headers: Headers
        package let body: [UInt8]

        package init(status: Int, headers: Headers = [:], body: [UInt8] = []) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        /// The moment of the `Date` header, in seconds since 1970; `nil` without a readable one.
        package var date: Int64? {
            // curl_getdate(3): any form of RFC 9110 5.6.7; -1 for what it cannot read, and for the one second before 1970.
            self.headers["date"].map { unsafe curl_getdate($0, nil) }.flatMap { $0 == -1 ? nil : Int64($0) }
        }

        /// The body as text, with replacement characters where it is not UTF-8.
        package var text: String { String(decoding: self.body, as: UTF8.self) }
    }
}
