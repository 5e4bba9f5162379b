struct Answer: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: String

    /// The only value of a header; `nil` when there is none or more than one.
    subscript(_ name: String) -> String? {
        let values = self.headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.count == 1 ? values[0] : nil
    }

    /// Cuts a whole answer off what has come; interim answers are skipped.
    static func cut(from bytes: inout [UInt8], isHead: Bool) -> Answer? {
        let end = Array("\r\n\r\n".utf8)
        guard let headEnd = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return nil }
        let lines = String(decoding: bytes[..<headEnd], as: UTF8.self).split(separator: "\r\n")
        let status = Int(lines[0].split(separator: " ")[1]) ?? 0
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: String(parts[0]), value: String(parts[1].drop { $0 == " " }))
        }
        var answer = Answer(status: status, headers: headers, body: "")
        if status < 200 {
            bytes.removeFirst(headEnd + 4)
            return self.cut(from: &bytes, isHead: isHead)
        }
        let length = isHead || status == 204 || status == 304 ? 0 : Int(answer["Content-Length"] ?? "0") ?? 0
        guard bytes.count >= headEnd + 4 + length else { return nil }
        let body = String(decoding: bytes[(headEnd + 4)..<(headEnd + 4 + length)], as: UTF8.self)
        answer = Answer(status: status, headers: headers, body: body)
        bytes.removeFirst(headEnd + 4 + length)
        return answer
    }
}
