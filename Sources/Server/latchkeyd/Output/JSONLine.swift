import CommandLineTool
import FoundationEssentials

/// Results for machines: one JSON value on one line, keys in alphabetical order.
enum JSONLine {
    static func text(of value: some Encodable) throws(OperatorError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            throw OperatorError("The result has no JSON form.", exitCode: .internalError)
        }
        return String(decoding: data, as: UTF8.self)
    }
}
