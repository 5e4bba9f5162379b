import HTTPServer

/// How a call says who makes it (rest-v1 7.6).
enum AuthorizationScheme {
    /// The value of `Authorization` when it begins with an HTTP verb and is signed.
    case signedRequest(ArraySlice<UInt8>)
    case bearer(String)
    case emptyBearer
    /// Header and parameter name different tokens.
    case contradiction
    /// Nothing, or a scheme this server does not know.
    case none

    init(_ request: HTTPRequest, _ parameters: HTTPParameters) {
        let header = request.headers.bytes("Authorization")
        let token = header.flatMap(Self.bearerToken)
        if token == nil, let header, Self.looksSigned(header.span) {
            self = .signedRequest(header)
        } else {
            self = Self.fromBearer(header: token, parameter: parameters["access_token"])
        }
    }

    private static func fromBearer(header: String?, parameter: String?) -> AuthorizationScheme {
        switch (header, parameter) {
        case (nil, nil): .none
        case (let header?, nil), (nil, let header?): header.isEmpty ? .emptyBearer : .bearer(header)
        case (let header?, let parameter?):
            header.utf8.elementsEqual(parameter.utf8) ? Self.fromBearer(header: header, parameter: nil) : .contradiction
        }
    }

    /// The token behind `Bearer`, in any case; `nil` for another scheme.
    private static func bearerToken(_ header: ArraySlice<UInt8>) -> String? {
        let name = header.prefix { $0 != UInt8(ascii: " ") }
        guard name.elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 }) else { return nil }
        return String(decoding: header.dropFirst(name.count).drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    }

    /// Upper-case letters, then a space: a verb. Whether the rest is signed is for the reader of the header to say.
    private static func looksSigned(_ header: Span<UInt8>) -> Bool {
        var start = 0
        while start < header.count, header[start] == 0x20 || header[start] == 0x09 { start += 1 }
        var end = start
        while end < header.count, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(header[end]) { end += 1 }
        return end > start && end < header.count && header[end] == UInt8(ascii: " ")
    }
}
