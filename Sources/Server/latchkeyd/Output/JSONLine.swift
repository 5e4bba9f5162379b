import Clientless
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

    static func text<Value>(of value: Value, _ shape: Shape<Value>) -> String {
        self.text(of: shape.json(value, .civil))
    }

    static func text(of json: JSONValue) -> String { self.sorted(json).text }

    private static func sorted(_ json: JSONValue) -> JSONValue {
        switch json {
        case .object(let members):
            .object(members.map { .init($0.name, self.sorted($0.value)) }.sorted { $0.name < $1.name })
        case .array(let values): .array(values.map(self.sorted))
        case .string, .integer, .double, .boolean, .null: json
        }
    }
}
