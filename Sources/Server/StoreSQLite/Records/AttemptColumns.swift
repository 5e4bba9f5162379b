import Clientless
import Entitlement

/// The columns of `attempts`.
enum AttemptColumn: String, ColumnList {
    case id, code, requestor, mvpd
    /// NULL for an attempt that began on the server's own page, empty for one of a viewer who looks at their boxes.
    case redirectURL = "redirect_url"
    case browser, created, expires, progress
    case sealedLogin = "sealed_login"
    case sealedExchange = "sealed_exchange"
    case sealedAnswer = "sealed_answer"
    case version

    private func value(of attempt: LoginAttempt) -> SQLValue {
        switch self {
        case .id: .blob(attempt.id.bytes)
        case .code: .text(attempt.code.text)
        case .requestor: .text(attempt.requestor.text)
        case .mvpd: .text(attempt.mvpd.text)
        case .redirectURL:
            switch attempt.origin {
            case .secondScreen: .null
            case .foreignPage(let url): .text(url)
            case .boxList: .text("")
            }
        case .browser: .blob(attempt.browser)
        case .created: .time(attempt.created)
        case .expires: .time(attempt.expires)
        case .progress:
            switch attempt.progress {
            case .atProvider: .integer(0)
            case .accepted: .integer(1)
            // A version before takes the one for the other.
            case .completed, .closed: .integer(2)
            case .handedOver: .integer(3)
            case .answered: .integer(4)
            }
        case .sealedLogin:
            switch attempt.progress {
            case .accepted(let sealedLogin): .blob(sealedLogin)
            case .completed(let codeVersion): .blob(Array(String(codeVersion).utf8))
            case .atProvider, .handedOver, .answered, .closed: .null
            }
        case .sealedExchange:
            switch attempt.progress {
            case .handedOver(let sealedExchange, _): .blob(sealedExchange)
            case .atProvider, .answered, .accepted, .completed, .closed: .null
            }
        case .sealedAnswer:
            switch attempt.progress {
            case .handedOver(_, let sealedAnswer): .blobIfAny(sealedAnswer)
            case .atProvider, .answered, .accepted, .completed, .closed: .null
            }
        case .version: .integer(Int64(attempt.version))
        }
    }

    /// In place of one with its ID, whose version is counted up.
    static let insertion: String = {
        let changed = AttemptColumn.allCases.filter { $0 != .id && $0 != .version }
        let changes = changed.map { "\($0.rawValue) = excluded.\($0.rawValue)" }.joined(separator: ", ")
        return "INSERT INTO attempts (\(names)) VALUES (\(placeholders)) "
            + "ON CONFLICT (id) DO UPDATE SET \(changes), version = attempts.version + 1"
    }()

    /// Swaps in the progress of an attempt whose version is the stored one; takes ``values(of:)``.
    static let swap: String = {
        func place(_ column: AttemptColumn) -> String { "?\(column.place + 1)" }
        let changed: [AttemptColumn] = [.progress, .sealedLogin, .sealedExchange, .sealedAnswer]
        let changes = changed.map { "\($0.rawValue) = \(place($0))" }.joined(separator: ", ")
        return "UPDATE attempts SET \(changes), version = version + 1 "
            + "WHERE id = \(place(.id)) AND version = \(place(.version))"
    }()

    static func values(of attempt: LoginAttempt) -> [SQLValue] { self.allCases.map { $0.value(of: attempt) } }

    static func attempt(from row: inout Row) throws(SQLiteFailure) -> LoginAttempt {
        let origin: LoginAttempt.Origin =
            switch try row.textIfAny(Self.redirectURL) {
            case nil: .secondScreen
            case ""?: .boxList
            case let url?: .foreignPage(redirectURL: url)
            }
        return LoginAttempt(
            id: AttemptID(bytes: try row.blob(Self.id)), code: try row.code(Self.code),
            requestor: try row.requestor(Self.requestor), mvpd: try row.mvpd(Self.mvpd), origin: origin,
            browser: try row.blob(Self.browser), created: try row.timestamp(Self.created),
            progress: try self.progress(from: &row), version: Int(try row.integer(Self.version)))
    }

    private static func progress(from row: inout Row) throws(SQLiteFailure) -> LoginAttempt.Progress {
        switch (try row.integer(Self.progress), try row.blobIfAny(Self.sealedLogin)) {
        case (0, _): return .atProvider
        case (1, let sealedLogin?): return .accepted(sealedLogin: sealedLogin)
        case (2, nil): return .closed
        case (2, let text?):
            guard let codeVersion = Int(String(decoding: text, as: UTF8.self)) else { break }
            return .completed(codeVersion: codeVersion)
        case (3, _):
            return .handedOver(
                sealedExchange: try row.blob(Self.sealedExchange), sealedAnswer: try row.blobIfAny(Self.sealedAnswer))
        case (4, _): return .answered
        default: break
        }
        throw .nonsense("an attempt is in no known state")
    }
}
