import TestSupport

/// Something that is measured in one go, and yields one figure or several.
protocol Measurement: Sendable {
    var figures: [Figure] { get }

    /// - Returns: a value for each of `figures`, in their order.
    func run(in surroundings: Surroundings) async throws -> [Double]
}

/// What every measurement is given.
struct Surroundings: Sendable {
    /// Where the two programs and `sqlite-limit` are.
    let programs: ProgramFolder
    /// Debian's nginx.
    let nginx: String
    /// The folder of the programs of Debian's PostgreSQL.
    let postgres: String
    /// An empty folder on a real disk; the caller removes it.
    let folder: String
    /// A short run that only shows that everything still works.
    let isRehearsal: Bool

    func amount(_ full: Int, rehearsal: Int) -> Int { self.isRehearsal ? rehearsal : full }
}

/// A measurement could not be made, which is no statement about speed.
struct NotMeasured: Error, CustomStringConvertible {
    let description: String
}
