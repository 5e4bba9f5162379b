import Clientless
import Entitlement

/// The columns of `attempts` and how an attempt becomes a row and a row an attempt.
enum AttemptColumns {
    static let insertion = """
        INSERT OR REPLACE INTO attempts
            (id, code, requestor, mvpd, redirect_url, browser, created, progress, sealed_login, expires)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
        """

    static let selection = """
        SELECT id, code, requestor, mvpd, redirect_url, browser, created, progress, sealed_login FROM attempts
            WHERE id = ?1 AND expires > ?2
        """

    static func values(of attempt: LoginAttempt) -> [SQLValue] {
        let redirectURL: String? =
            switch attempt.origin {
            case .secondScreen: nil
            case .foreignPage(let url): url
            }
        let (progress, sealedLogin): (Int64, SQLValue) =
            switch attempt.progress {
            case .atProvider: (0, .null)
            case .accepted(let sealedLogin): (1, .blob(sealedLogin))
            case .closed: (2, .null)
            }
        return [
            .blob(attempt.id.bytes), .text(attempt.code.text), .text(attempt.requestor.text), .text(attempt.mvpd.text),
            .textIfAny(redirectURL), .blob(attempt.browser), .time(attempt.created), .integer(progress), sealedLogin,
            .time(attempt.expires),
        ]
    }

    static func attempt(from row: inout Row) throws(SQLiteFailure) -> LoginAttempt {
        LoginAttempt(
            id: AttemptID(bytes: try row.blob()), code: try row.code(), requestor: try row.requestor(),
            mvpd: try row.mvpd(),
            origin: try row.textIfAny().map { .foreignPage(redirectURL: $0) } ?? .secondScreen,
            browser: try row.blob(), created: try row.timestamp(), progress: try self.progress(from: &row))
    }

    private static func progress(from row: inout Row) throws(SQLiteFailure) -> LoginAttempt.Progress {
        switch (try row.integer(), try row.blobIfAny()) {
        case (0, _): return .atProvider
        case (1, let sealedLogin?): return .accepted(sealedLogin: sealedLogin)
        case (2, _): return .closed
        default: throw .nonsense("an attempt is in no known state")
        }
    }
}
