import CCjose
package import Clientless

/// A JSON document as jansson read it: one reference to its root.
@safe
struct JSONHandle: ~Copyable {
    private let root: UnsafeMutablePointer<json_t>

    private init(adopting root: UnsafeMutablePointer<json_t>) {
        unsafe self.root = root
    }

    deinit { unsafe ccjose_release(self.root) }

    /// - Returns: `nil` for bytes that are no object and no array in UTF-8, name a member twice, or hold `\u0000`.
    static func read(_ bytes: [UInt8]) -> JSONHandle? {
        let root: UnsafeMutablePointer<json_t>? = unsafe bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return nil }
            return unsafe ccjose_read(start.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        guard let root = unsafe root else { return nil }
        return unsafe JSONHandle(adopting: root)
    }

    /// The document as a value; `nil` when it is deeper than `depth` or has more than `count` values.
    borrowing func value(depth: Int, count: Int) -> JSONValue? {
        var left = count
        return unsafe Self.copy(self.root, depth: depth, left: &left)
    }

    private static func copy(
        _ value: UnsafeMutablePointer<json_t>, depth: Int, left: inout Int
    ) -> JSONValue? {
        guard depth > 0, left > 0 else { return nil }
        left -= 1
        switch unsafe json_type(UInt32(ccjose_type(value))) {
        case JSON_STRING: return unsafe .string(Self.text(value))
        case JSON_INTEGER: return unsafe .integer(Int64(json_integer_value(value)))
        case JSON_REAL: return unsafe .double(json_real_value(value))
        case JSON_TRUE: return .boolean(true)
        case JSON_FALSE: return .boolean(false)
        case JSON_ARRAY: return unsafe Self.copy(array: value, depth: depth, left: &left)
        case JSON_OBJECT: return unsafe Self.copy(object: value, depth: depth, left: &left)
        default: return .null
        }
    }

    private static func copy(
        array: UnsafeMutablePointer<json_t>, depth: Int, left: inout Int
    ) -> JSONValue? {
        var values: [JSONValue] = []
        for index in unsafe 0..<json_array_size(array) {
            // json_array_get(): "The returned reference is borrowed."
            guard let element = unsafe json_array_get(array, index),
                let value = unsafe Self.copy(element, depth: depth - 1, left: &left)
            else { return nil }
            values.append(value)
        }
        return .array(values)
    }

    private static func copy(
        object: UnsafeMutablePointer<json_t>, depth: Int, left: inout Int
    ) -> JSONValue? {
        var members: [JSONValue.Member] = []
        // Since jansson 2.8 an object is walked in the order in which its members were written.
        var iterator = unsafe json_object_iter(object)
        while let place = unsafe iterator {
            guard let name = unsafe json_object_iter_key(place), let member = unsafe json_object_iter_value(place),
                let value = unsafe Self.copy(member, depth: depth - 1, left: &left)
            else { return nil }
            // Names hold no NUL: the reader refuses them.
            unsafe members.append(.init(String(cString: name), value))
            unsafe iterator = unsafe json_object_iter_next(object, place)
        }
        return .object(members)
    }

    private static func text(_ value: UnsafeMutablePointer<json_t>) -> String {
        guard let start = unsafe json_string_value(value) else { return "" }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: json_string_length(value))
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}

/// JSON that strangers wrote: bounded in bytes, depth and number of values, and without a name that stands twice.
package enum ForeignJSON {
    /// The deepest document that is read. Claims of one address in one list are four deep.
    package static let depth = 16
    /// The most values one document may have. A key set of 64 keys has some 500.
    package static let count = 4_096

    /// - Returns: `nil` for anything but one object or array within the bounds.
    package static func read(_ bytes: [UInt8], limit: Int) -> JSONValue? {
        guard bytes.count <= limit else { return nil }
        return JSONHandle.read(bytes)?.value(depth: self.depth, count: self.count)
    }

    /// The same for a document that must be an object.
    package static func object(_ bytes: [UInt8], limit: Int) -> JSONValue? {
        guard let value = self.read(bytes, limit: limit), case .object = value else { return nil }
        return value
    }
}
