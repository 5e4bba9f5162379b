/// The fields of one line of a table (RFC 4180), whose fields have no line breaks.
struct CSVLine {
    private let bytes: ArraySlice<UInt8>
    /// Where each field is, without the quotes around it.
    let fields: [Range<Int>]
    /// Whether quotes are doubled somewhere.
    private let hasQuotes: Bool

    /// - Throws: what is wrong with its quotes, as the rest of "line 17: …".
    init(_ bytes: ArraySlice<UInt8>) throws(PlaceFault.Reason) {
        let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
        var fields: [Range<Int>] = []
        fields.reserveCapacity(8)
        var hasQuotes = false
        var position = bytes.startIndex
        while true {
            if position < bytes.endIndex, bytes[position] == quote {
                let begin = position + 1
                position = begin
                while true {
                    guard position < bytes.endIndex else { throw "has a quote that does not end" }
                    guard bytes[position] == quote else {
                        position += 1
                        continue
                    }
                    guard position + 1 < bytes.endIndex, bytes[position + 1] == quote else { break }
                    hasQuotes = true
                    position += 2
                }
                fields.append(begin..<position)
                position += 1
                guard position == bytes.endIndex || bytes[position] == comma else {
                    throw "has something between a quote and the next comma"
                }
            } else {
                let end = bytes[position...].firstIndex(of: comma) ?? bytes.endIndex
                fields.append(position..<end)
                position = end
            }
            guard position < bytes.endIndex else { break }
            position += 1
        }
        self.bytes = bytes
        self.fields = fields
        self.hasQuotes = hasQuotes
    }

    /// The text of a field.
    func text(_ field: Int) -> String {
        let text = String(decoding: self.bytes[self.fields[field]], as: UTF8.self)
        return self.hasQuotes ? text.replacing("\"\"", with: "\"") : text
    }
}
