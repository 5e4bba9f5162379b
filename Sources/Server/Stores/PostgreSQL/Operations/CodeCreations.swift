import Clientless
import Entitlement

struct CodeCreation: Sendable {
    let record: RegistrationRecord
    /// How many codes its device may have open with its requestor, at least 1.
    let limit: Int
    let now: Timestamp

    var subjects: [SubjectKey] { [.device(self.record.context.device), .code(self.record.code)] }
}

/// The new codes of several callers, kept by one statement: creating is the busiest change, and most of what a statement
/// costs the server is its beginning.
///
/// A statement does not see its own rows. So those of one device, or of one code, are in different statements, in the
/// order in which they came.
struct CodeCreations: Sendable {
    private typealias Numbered = (number: Int, element: CodeCreation)

    private let statements: [(creations: [Numbered], ticket: Ticket)]

    /// Queues the statements.
    /// - Parameter creations: each with a number of its own, under which ``outcomes(on:)`` has what came of it.
    init(_ creations: [(number: Int, element: CodeCreation)], on session: Session) throws(PostgresFailure) {
        var statements: [(creations: [Numbered], ticket: Ticket)] = []
        for round in Self.rounds(of: creations) {
            statements.append(
                (round, try session.send(SQL(raw: Self.statement, Self.values(of: round.map(\.element))))))
        }
        self.statements = statements
    }

    func outcomes(on session: Session) throws(PostgresFailure) -> [Int: CodeInsertion] {
        var outcomes: [Int: CodeInsertion] = [:]
        for (creations, ticket) in self.statements {
            var kept: Set<RegistrationCodeText> = []
            var cancelled: [DeviceHash: [Cancelled]] = [:]
            for (code, end) in try session.rows(of: ticket, Self.row) {
                if let end {
                    cancelled[end.device, default: []].append(end)
                } else {
                    kept.insert(code)
                }
            }
            for (number, creation) in creations {
                let ends = cancelled[creation.record.context.device, default: []].sorted {
                    ($0.generated, $0.sequence) < ($1.generated, $1.sequence)
                }
                outcomes[number] =
                    kept.contains(creation.record.code) ? .inserted(cancelled: ends.map(\.code)) : .taken
            }
        }
        return outcomes
    }

    /// The creations, each in the first round that has none of its subjects and follows those that have.
    private static func rounds(of creations: [Numbered]) -> [[Numbered]] {
        var rounds: [[Numbered]] = []
        var next: [SubjectKey: Int] = [:]
        for numbered in creations {
            let subjects = numbered.element.subjects
            let round = subjects.map { next[$0, default: 0] }.max() ?? 0
            for subject in subjects { next[subject] = round + 1 }
            if round == rounds.count { rounds.append([]) }
            rounds[round].append(numbered)
        }
        return rounds
    }

    /// A code that a newer one of its device took the place of.
    private typealias Cancelled = (code: RegistrationCodeText, device: DeviceHash, generated: Int64, sequence: Int64)

    private static let columns = CodeColumn.allCases

    /// Keeps codes that are not taken, and cancels the oldest open ones of their devices and requestors that are too many
    /// then. A code that another transaction ends meanwhile stays as that left it.
    ///
    /// Answers with the codes that were kept, and those that were cancelled with their devices.
    ///
    /// `OFFSET 0` keeps the planner from looking at how long the arrays are: it would take a plan for each length to be better
    /// than one for all, and make one each time, which costs more than the statement.
    private static let statement: String = {
        let arrays: [(String, StoredTable.Kind)] =
            columns.map { ($0.rawValue, $0.type.kind) } + [("stay", .integer), ("moment", .integer)]
        let given = arrays.enumerated().map { "$\($0.offset + 1)::\($0.element.1.arrayName) AS \($0.element.0)" }
        let names = arrays.map(\.0).joined(separator: ", ")
        return """
            WITH fresh AS (
                SELECT fresh.* FROM (SELECT \(given.joined(separator: ", ")) OFFSET 0) AS given
                    CROSS JOIN LATERAL unnest(\(arrays.map { "given.\($0.0)" }.joined(separator: ", ")))
                    AS fresh (\(names))
            ), kept AS (
                INSERT INTO latchkey.codes (\(CodeColumn.names)) SELECT \(CodeColumn.names) FROM fresh
                    ON CONFLICT (code) DO NOTHING RETURNING code
            ), ended AS (
                UPDATE latchkey.codes SET state = $\(arrays.count + 1), state_detail = NULL, open_until = NULL,
                    version = version + 1, \(PostgresStore.withoutRawData)
                    WHERE open_until IS NOT NULL AND code = ANY (ARRAY(
                        SELECT old.code FROM kept JOIN fresh ON fresh.code = kept.code CROSS JOIN LATERAL (
                            SELECT code FROM latchkey.codes WHERE device = fresh.device AND open_until > fresh.moment
                                AND requestor = fresh.requestor AND code <> fresh.code
                                ORDER BY generated DESC, sequence DESC OFFSET fresh.stay) AS old))
                    RETURNING code, device, generated, sequence
            )
            SELECT code, NULL AS device, NULL AS generated, NULL AS sequence FROM kept
                UNION ALL SELECT code, device, generated, sequence FROM ended
            """
    }()

    private static func values(of creations: [CodeCreation]) -> [SQLValue] {
        let rows = creations.map { CodeColumn.values(of: $0.record) }
        var values = self.columns.enumerated().map { place, column in
            SQLValue.list(rows.map { $0[place] }, of: column.type.kind)
        }
        values.append(.list(creations.map { .integer(Int64($0.limit - 1)) }, of: .integer))
        values.append(.list(creations.map(\.now.sqlValue), of: .integer))
        values.append(.integer(StateColumns.values(of: .cancelled).number))
        return values
    }

    private static func row(_ row: inout Row) throws(PostgresFailure) -> (code: RegistrationCodeText, end: Cancelled?) {
        let code: RegistrationCodeText = try row.value()
        guard let device: DeviceHash = try row.valueIfAny() else { return (code, nil) }
        return (code, (code, device, try row.value(), try row.value()))
    }
}
