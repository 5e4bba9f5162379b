import Clientless
package import Entitlement

/// The columns of `attempts`.
package enum AttemptColumn: String, ColumnList {
    case id, code, requestor, mvpd, origin
    /// Of an attempt that began on a programmer's page.
    case redirectURL = "redirect_url"
    case browser, created, expires, progress
    case sealedLogin = "sealed_login"
    case sealedExchange = "sealed_exchange"
    case version

    package static let names = joinedNames

    package var type: ColumnType {
        switch self {
        case .code, .requestor, .mvpd: .text
        case .redirectURL: .textIfAny
        case .origin, .created, .expires, .progress, .version: .integer
        case .id, .browser: .blob
        case .sealedLogin, .sealedExchange: .blobIfAny
        }
    }

    private func value(of attempt: LoginAttempt) -> SQLValue {
        switch self {
        case .id: .blob(attempt.id.bytes)
        case .code: .text(attempt.code.text)
        case .requestor: .text(attempt.requestor.text)
        case .mvpd: .text(attempt.mvpd.text)
        case .origin:
            switch attempt.origin {
            case .secondScreen: .integer(0)
            case .foreignPage: .integer(1)
            case .boxList: .integer(2)
            }
        case .redirectURL:
            if case .foreignPage(let url) = attempt.origin { .text(url) } else { .null }
        case .browser: .blob(attempt.browser)
        case .created: .time(attempt.created)
        case .expires: .time(attempt.expires)
        case .progress:
            switch attempt.progress {
            case .atProvider: .integer(0)
            case .accepted: .integer(1)
            case .completed: .integer(2)
            case .handedOver: .integer(3)
            case .answered: .integer(4)
            case .closed: .integer(5)
            }
        case .sealedLogin:
            if case .accepted(let sealedLogin) = attempt.progress { .blob(sealedLogin) } else { .null }
        case .sealedExchange:
            if case .handedOver(let sealedExchange) = attempt.progress { .blob(sealedExchange) } else { .null }
        case .version: .integer(Int64(attempt.version))
        }
    }

    package static func values(of attempt: LoginAttempt) -> [SQLValue] { self.allCases.map { $0.value(of: attempt) } }

    package static func attempt<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> LoginAttempt {
        return LoginAttempt(
            id: AttemptID(bytes: try row.blob(Self.id)), code: try row.code(Self.code),
            requestor: try row.requestor(Self.requestor), mvpd: try row.mvpd(Self.mvpd),
            origin: try self.origin(from: &row),
            browser: try row.blob(Self.browser), created: try row.timestamp(Self.created),
            progress: try self.progress(from: &row), version: Int(try row.integer(Self.version)))
    }

    private static func origin<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> LoginAttempt.Origin {
        switch try row.integer(Self.origin) {
        case 0: .secondScreen
        case 1: .foreignPage(redirectURL: try row.text(Self.redirectURL))
        case 2: .boxList
        default: throw .nonsense("an attempt began at no known place")
        }
    }

    private static func progress<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> LoginAttempt.Progress {
        switch try row.integer(Self.progress) {
        case 0: .atProvider
        case 1: .accepted(sealedLogin: try row.blob(Self.sealedLogin))
        case 2: .completed
        case 3: .handedOver(sealedExchange: try row.blob(Self.sealedExchange))
        case 4: .answered
        case 5: .closed
        default: throw .nonsense("an attempt is in no known state")
        }
    }

    /// Keeps an attempt in place of one with its ID, whose version is counted up.
    static func keeping(_ attempt: LoginAttempt) -> SQL {
        """
        INSERT INTO latchkey.attempts (\(Self.self)) VALUES (\(self.values(of: attempt)))
            ON CONFLICT (id) DO UPDATE SET \(raw: self.replacements), version = attempts.version + 1
        """
    }

    private static let replacements = allCases.filter { $0 != .id && $0 != .version }
        .map { "\($0.rawValue) = excluded.\($0.rawValue)" }.joined(separator: ", ")

    /// Swaps in the progress of an attempt whose version is the stored one.
    static func swap(_ attempt: LoginAttempt) -> SQL {
        let changing: [Self] = [.progress, .sealedLogin, .sealedExchange]
        let changes = changing.reduce("" as SQL) { "\($0)\(raw: $1.rawValue) = \($1.value(of: attempt)), " }
        return """
            UPDATE latchkey.attempts SET \(changes)version = version + 1
                WHERE id = \(attempt.id) AND version = \(attempt.version)
            """
    }
}
