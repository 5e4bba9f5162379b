/// One step of the schema. Once released it never changes; a new need is a new step.
struct Migration {
    /// Counts from 1 without gaps.
    let number: Int
    /// The oldest step whose programs can still work with the tables: nodes are brought up to date one after the other,
    /// so that is at least the step before.
    let oldest: Int
    /// One SQL statement each, run in order in the same transaction.
    let statements: [String]

    /// Every step, in order. The first makes the present schema in a new database; the others bring those of older programs
    /// there.
    static let all: [Migration] = [.initial, .endedSignIns, .credentials]
}
