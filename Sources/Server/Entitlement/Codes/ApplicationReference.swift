/// The registered application behind a bearer caller, as the code record names it (rest-v1 11.1).
package struct ApplicationReference: Hashable, Sendable {
    package let id: String
    package let name: String
    package let version: String

    package init(id: String, name: String, version: String) {
        self.id = id
        self.name = name
        self.version = version
    }
}
