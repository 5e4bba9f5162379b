import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import Providers
import ServerAPI

enum UserImportCommand {
    /// The longest file that is read, in bytes, and the most viewers in it.
    private static let maximumSize = 16 << 20
    private static let maximumRows = 100_000

    private struct Row {
        enum Password {
            case clear(Secret)
            case hash(PasswordHash)
        }

        let line: Int
        let name: String
        let password: Password
        let lineUp: [String]

        var hasShortPassword: Bool {
            if case .clear(let secret) = self.password { Users.isShort(secret) } else { false }
        }
    }

    static let command = ServerCommand(
        .store, "import", "Add many viewers of a local provider from a table",
        discussion: [
            "The file is CSV in UTF-8. Its first row names the columns: name; password or passwordHash, a yescrypt "
                + "hash as in crypt(5); and optionally channels, with | between them or * for everything. The "
                + "command checks all rows before it adds the first viewer.",
            "\(Users.passwordRule) A file with passwords is a secret. Keep it from others, and erase it afterwards. "
                + "Hashing a password takes a tenth of a second.",
        ],
        options: [
            Users.provider,
            .flag("skip-existing", "Skip viewers that exist already, instead of refusing the file"),
            CommonOptions.json,
        ],
        operands: [CommandOperand("FILE", "The table; - is standard input")],
        examples: ["latchkeyd user import viewers.csv --provider CableNova": "all of a household list"],
        also: [.failure, .invalidData]
    ) { arguments, call in
        let rows = try Self.rows(try Self.text(arguments))
        let accounts = try await call.accounts
        let provider = try call.localProvider()
        let there = Set(try await accounts.all().filter { $0.mvpd == provider }.map(\.name))
        let taken = rows.filter { there.contains($0.name) }
        if let first = taken.first, !arguments.has("skip-existing") {
            throw Self.fault(
                first.line,
                "There is a viewer \(terminalSafe(first.name)) of \(provider) already; --skip-existing passes over "
                    + "those.")
        }
        if rows.contains(where: \.hasShortPassword) {
            call.say("warning: a password of fewer than 8 characters is easy to guess; the file has one or more.")
        }
        let lines = rows.flatMap { row in row.lineUp.map { ($0, row.line) } }
        try await Users.warnOfMisspelling(
            lines.map(\.0).eachOnce().filter { $0 != "*" }, call,
            lines: Dictionary(lines, uniquingKeysWith: { first, _ in first }))
        var added = 0
        for row in rows where !there.contains(row.name) {
            let account = Account(
                mvpd: provider, name: row.name, passwordHash: try Self.hash(of: row), lineUp: row.lineUp)
            guard try await accounts.add(account, actor: CommandActor.text, now: call.now) else {
                throw OperatorError(
                    "The viewer \(terminalSafe(row.name)) was added by another command meanwhile; before that, the table's "
                        + "first \(added) were added.", advice: "With --skip-existing the others are.")
            }
            added += 1
        }
        try call.shows(JSONLine.text(of: ["added": .integer(Int64(added)), "skipped": .integer(Int64(taken.count))]))
        call.say(
            (added == 1 ? "1 viewer is added" : "\(added) viewers are added")
                + (taken.isEmpty ? "." : "; \(taken.count) were there already."))
        let idle = rows.filter { !there.contains($0.name) && $0.lineUp.isEmpty }.count
        if idle > 0 {
            call.say("\(idle) of them may play nothing yet: 'latchkeyd user channels add' gives channels.")
        }
    }

    private static func text(_ arguments: ParsedArguments) throws(OperatorError) -> String {
        let file = arguments.operands[0]
        guard file != "-" else { return try StandardInput.text(limit: Self.maximumSize) }
        guard let text = String(validating: try PrivateFiles.read(file, limit: Self.maximumSize), as: UTF8.self)
        else { throw OperatorError("The file \(file) is not UTF-8 text.", exitCode: .invalidData) }
        return text
    }

    /// The viewers of a table, every one of them fit.
    private static func rows(_ text: String) throws(OperatorError) -> [Row] {
        let table: [(line: Int, values: [String])]
        do throws(CSVText.Fault) {
            // A spreadsheet may write a byte order mark.
            table = try CSVText.rows(
                of: text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text,
                limit: Self.maximumRows + 1)
        } catch {
            throw Self.fault(error.line, error.sentence)
        }
        guard let heading = table.first else {
            throw OperatorError("The table is empty.", advice: "Nothing was changed.", exitCode: .invalidData)
        }
        let columns = try Self.columns(heading.values, line: heading.line)
        var names: Set<String> = []
        var rows: [Row] = []
        for (line, values) in table.dropFirst() {
            guard values.count == heading.values.count else {
                let hint =
                    values.count > heading.values.count
                    ? " Several channels have | between them; a value with a comma is in quotes." : ""
                throw Self.fault(
                    line, "The row has \(values.count) values; the first row names \(heading.values.count).\(hint)")
            }
            let row = try Self.row(line, values, columns)
            guard names.insert(row.name).inserted else {
                throw Self.fault(line, "The viewer \(terminalSafe(row.name)) is there twice.")
            }
            rows.append(row)
        }
        return rows
    }

    private static func columns(_ names: [String], line: Int) throws(OperatorError) -> [String: Int] {
        let known = ["name", "password", "passwordHash", "channels"]
        var columns: [String: Int] = [:]
        for (place, name) in names.enumerated() {
            guard known.contains(name), columns[name] == nil else {
                let hint =
                    name.contains(";")
                    ? " A comma is between two columns, not a semicolon."
                    : nearestName(to: name, among: known).map { " Perhaps \($0) is meant." }
                        ?? " The first row names the columns: name, password or passwordHash, and channels."
                throw Self.fault(line, "'\(terminalSafe(name, limit: 80))' is no column, or is named twice.\(hint)")
            }
            columns[name] = place
        }
        guard columns["name"] != nil, (columns["password"] == nil) != (columns["passwordHash"] == nil) else {
            throw Self.fault(line, "The first row has to name the column name, and password or passwordHash.")
        }
        return columns
    }

    private static func row(_ line: Int, _ values: [String], _ columns: [String: Int]) throws(OperatorError) -> Row {
        func value(_ column: String) -> String? { columns[column].map { values[$0] } }
        guard let name = AccountName.canonical(value("name") ?? "") else {
            throw Self.fault(line, "A name has 1 to 64 bytes, no spaces and no control characters.")
        }
        let password: Row.Password
        if let text = value("passwordHash") {
            guard let hash = PasswordHash(text) else {
                throw Self.fault(line, "The passwordHash is no hash of yescrypt, which begins with $y$.")
            }
            password = .hash(hash)
        } else {
            guard PasswordHash(value("password") ?? "") == nil else {
                throw Self.fault(line, "The password is a hash; the column of hashes is called passwordHash.")
            }
            let secret = Secret(value("password") ?? "")
            guard PasswordHash.isFit(secret) else { throw Self.fault(line, Users.passwordRule) }
            password = .clear(secret)
        }
        let lineUp = try (value("channels") ?? "").split(separator: "|").map { (text) throws(OperatorError) in
            guard let resource = try? Resource(fromWire: String(text)) else {
                throw Self.fault(line, "A channel has at most \(Resource.maximumLength) bytes.")
            }
            return resource.text
        }.eachOnce()
        guard !lineUp.contains("*") || lineUp.count == 1 else {
            throw Self.fault(line, "The channel * is everything, and stands alone.")
        }
        return Row(line: line, name: name, password: password, lineUp: lineUp)
    }

    private static func hash(of row: Row) throws(OperatorError) -> String {
        switch row.password {
        case .hash(let hash): return hash.text
        case .clear(let secret): return try Users.hash(secret)
        }
    }

    private static func fault(_ line: Int, _ sentence: String) -> OperatorError {
        OperatorError("Line \(line): \(sentence)", advice: "Nothing was changed.", exitCode: .invalidData)
    }
}
