/// The documents of REST v1 as far as the library reads them; members it does not name are skipped.
struct CodeRecord: Decodable {
    struct Info: Decodable {
        let registrationURL: String?
    }

    let code: String
    let expires: WireTime
    let mvpd: String?
    let info: Info?
}

/// Milliseconds since 1970: a number for codes, a string of digits for tokens (rest-v1 3.9); either is taken for both.
struct WireTime: Decodable {
    /// Up to the end of the year 9999. Beyond it a time is a fault of the server, and no calendar or clock here need
    /// be able to hold it.
    private static let range: ClosedRange<Int64> = 0...253_402_300_799_999

    let milliseconds: Int64

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let number = try (try? container.decode(Int64.self)) ?? Int64(container.decode(String.self)),
            Self.range.contains(number)
        else { throw DecodingError.dataCorruptedError(in: container, debugDescription: "a time is digits") }
        self.milliseconds = number
    }
}
