import Clientless
import Entitlement

/// The columns of `attempts`.
enum AttemptColumn: String, ColumnList {
    case id, code, requestor, mvpd
    /// NULL for an attempt that began on the server's own page.
    case redirectURL = "redirect_url"
    case browser, created, expires, progress
    case sealedLogin = "sealed_login"

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
            }
        case .browser: .blob(attempt.browser)
        case .created: .time(attempt.created)
        case .expires: .time(attempt.expires)
        case .progress:
            switch attempt.progress {
            case .atProvider: .integer(0)
            case .accepted: .integer(1)
            case .closed: .integer(2)
            }
        case .sealedLogin:
            switch attempt.progress {
            case .accepted(let sealedLogin): .blob(sealedLogin)
            case .atProvider, .closed: .null
            }
        }
    }

    static let insertion = "INSERT OR REPLACE INTO attempts (\(names)) VALUES (\(placeholders))"

    static func values(of attempt: LoginAttempt) -> [SQLValue] { self.allCases.map { $0.value(of: attempt) } }

    static func attempt(from row: inout Row) throws(SQLiteFailure) -> LoginAttempt {
        let origin: LoginAttempt.Origin =
            try row.textIfAny(Self.redirectURL).map { .foreignPage(redirectURL: $0) } ?? .secondScreen
        return LoginAttempt(
            id: AttemptID(bytes: try row.blob(Self.id)), code: try row.code(Self.code),
            requestor: try row.requestor(Self.requestor), mvpd: try row.mvpd(Self.mvpd), origin: origin,
            browser: try row.blob(Self.browser), created: try row.timestamp(Self.created),
            progress: try self.progress(from: &row))
    }

    private static func progress(from row: inout Row) throws(SQLiteFailure) -> LoginAttempt.Progress {
        switch (try row.integer(Self.progress), try row.blobIfAny(Self.sealedLogin)) {
        case (0, _): return .atProvider
        case (1, let sealedLogin?): return .accepted(sealedLogin: sealedLogin)
        case (2, _): return .closed
        default: throw .nonsense("an attempt is in no known state")
        }
    }
}
