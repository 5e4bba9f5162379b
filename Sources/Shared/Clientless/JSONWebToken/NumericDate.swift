/// A time claim: seconds since 1970, possibly with a fraction, which is dropped (RFC 7519 section 2).
struct NumericDate: Decodable {
    let moment: Timestamp

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let seconds = try container.decode(Double.self)
        // Up to the year 9999; the bound also keeps the conversion from trapping.
        guard (0...253_402_300_799).contains(seconds) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a time from 1970 to 9999")
        }
        self.moment = Timestamp(seconds: Int64(seconds))
    }
}
