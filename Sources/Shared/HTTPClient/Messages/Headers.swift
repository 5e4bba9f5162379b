extension HTTPClient {
    /// Header fields in order. Names are compared without regard to ASCII case (RFC 9110 5.1).
    package struct Headers: Sendable, Hashable, ExpressibleByDictionaryLiteral {
        package struct Field: Sendable, Hashable {
            package let name: String
            package let value: String
        }

        package private(set) var fields: [Field] = []

        package init(dictionaryLiteral elements: (String, String)...) {
            for (name, value) in elements { self.append(name, value) }
        }

        /// Adds a field after the others, also where the name is there already.
        package mutating func append(_ name: String, _ value: String) {
            self.fields.append(Field(name: name, value: value))
        }

        /// The first value of `name`. Setting replaces every field of that name; `nil` removes them.
        package subscript(name: String) -> String? {
            get { self.fields.first { isSameName($0.name, name) }?.value }
            set {
                self.fields.removeAll { isSameName($0.name, name) }
                if let newValue { self.append(name, newValue) }
            }
        }

        /// Every value of `name`, in order; `Set-Cookie` comes more than once.
        package func values(_ name: String) -> [String] {
            self.fields.filter { isSameName($0.name, name) }.map(\.value)
        }
    }
}

private func isSameName(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8) { lowercase($0) == lowercase($1) }
}

private func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
}
