/// One step of the schema. Once released it never changes; a new need is a new step.
struct Migration {
    /// Counts from 1 without gaps; `user_version` of a file holds the last one applied.
    let number: Int
    /// One SQL statement each, run in order in the same transaction.
    let statements: [String]

    /// Every step, in order. The first makes the present schema in a new file; the others bring files of older programs there.
    static let all: [Migration] = [.initial, .endedSignIns, .credentials]
}
