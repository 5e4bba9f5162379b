/// A part of the country as an operator divides it, so that a picker shows first who serves the viewer.
package struct Region: Hashable, Sendable {
    package let name: String
    /// The networks of those who live there.
    package let networks: [NetworkPrefix]
    /// The tags of languages that are asked for there alone, such as `de-at`; in lower case.
    package let languages: Set<String>

    package init(name: String, networks: [NetworkPrefix], languages: Set<String> = []) {
        self.name = name
        self.networks = networks
        self.languages = Set(languages.map { $0.lowercased() })
    }
}
