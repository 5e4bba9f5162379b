import TextCoding

/// The sealed values that were made or opened last: a sign-in and a decision read one several times, and reading it takes
/// longer than asking memory for all the rest.
final class OpenedValues<Key: Hashable & Sendable, Value: Sealable>: Sendable {
    /// With its binding as well, as a sealed value opens in its own record alone.
    private typealias Opened = (value: Value, sealed: [UInt8], binding: SealBinding)

    private let values = BoundedMemory<Key, Opened>(bound: 256)

    func sealed(
        _ value: Value, of key: Key, in binding: SealBinding, by keys: ServerKeys
    ) throws(EntitlementError) -> [UInt8] {
        let sealed = try keys.sealed(value.json, in: binding)
        self.keep((value, sealed, binding), of: key)
        return sealed
    }

    /// Opens the value of `key`, where it is not at hand.
    func opened(
        _ sealed: [UInt8], of key: Key, in binding: SealBinding, by keys: ServerKeys
    ) throws(EntitlementError) -> Value {
        if let known = self.values[key], known.sealed.span.elementsEqual(sealed.span), known.binding == binding {
            return known.value
        }
        let value = try keys.opened(sealed, as: Value.self, in: binding)
        self.keep((value, sealed, binding), of: key)
        return value
    }

    private func keep(_ opened: Opened, of key: Key) { self.values.update(key, initial: opened) { $0 = opened } }
}
