/// Finds a name that a JSON object has twice. Readers of JSON keep one of the two and do not say which, so a check that
/// must not be talked past looks at the bytes (rest-v1 10.2).
enum JSONObjectNames {
    /// Whether the object itself, not one inside it, repeats a name. Names are compared as written; text that is not
    /// JSON has whatever names it seems to have.
    static func areRepeated(in json: [UInt8]) -> Bool {
        var seen: Set<[UInt8]> = []
        var depth = 0
        var expectsName = false
        var index = 0
        while index < json.count {
            switch json[index] {
            case UInt8(ascii: "\""):
                let end = self.endOfText(in: json, from: index + 1)
                if depth == 1, expectsName {
                    guard seen.insert(Array(json[index..<min(end, json.count)])).inserted else { return true }
                    expectsName = false
                }
                index = end
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth == 1 { expectsName = true }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ","): if depth == 1 { expectsName = true }
            default: break
            }
            index += 1
        }
        return false
    }

    /// The place of the quotation mark that ends a text.
    private static func endOfText(in json: [UInt8], from start: Int) -> Int {
        var index = start
        while index < json.count, json[index] != UInt8(ascii: "\"") {
            index += json[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }
}
