import Clientless
package import Entitlement

package enum AttemptColumn: String, ColumnList {
    case id, code, requestor, mvpd, origin
    /// Of an attempt that began on a programmer's page.
    case redirectURL = "redirect_url"
    case browser, created, expires, progress
    case sealedLogin = "sealed_login"
    case sealedExchange = "sealed_exchange"
    case version

    package static let listed = Listed<Self>(
        "attempts", "ON CONFLICT (id) DO UPDATE SET \(replacements), version = attempts.version + 1")
    private static let replacements = allCases.filter { $0 != .id && $0 != .version }
        .map { "\($0.rawValue) = excluded.\($0.rawValue)" }.joined(separator: ", ")

    package var field: Field<LoginAttempt> {
        switch self {
        case .id: Field { $0.id }
        case .code: Field { $0.code }
        case .requestor: Field { $0.requestor }
        case .mvpd: Field { $0.mvpd }
        case .origin:
            Field {
                switch $0.origin {
                case .secondScreen: 0
                case .foreignPage: 1
                case .boxList: 2
                }
            }
        case .redirectURL: Field { if case .foreignPage(let url) = $0.origin { url } else { nil } }
        case .browser: Field { $0.browser }
        case .created: Field { $0.created }
        case .expires: Field { $0.expires }
        case .progress:
            Field {
                switch $0.progress {
                case .atProvider: 0
                case .accepted: 1
                case .completed: 2
                case .handedOver: 3
                case .answered: 4
                case .closed: 5
                }
            }
        case .sealedLogin: Field { if case .accepted(let login) = $0.progress { login } else { nil } }
        case .sealedExchange:
            Field { if case .handedOver(let exchange) = $0.progress { exchange } else { nil } }
        case .version: Field { $0.version }
        }
    }

    package static func attempt<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> LoginAttempt {
        LoginAttempt(
            id: try row.value(Self.id), code: try row.value(Self.code),
            requestor: try row.value(Self.requestor), mvpd: try row.value(Self.mvpd),
            origin: try self.origin(from: &row),
            browser: try row.value(Self.browser), created: try row.value(Self.created),
            progress: try self.progress(from: &row), version: try row.value(Self.version))
    }

    private static func origin<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> LoginAttempt.Origin {
        switch try row.value(Self.origin) as Int {
        case 0: .secondScreen
        case 1: .foreignPage(redirectURL: try row.value(Self.redirectURL))
        case 2: .boxList
        default: throw .nonsense("an attempt began at no known place")
        }
    }

    private static func progress<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> LoginAttempt.Progress {
        switch try row.value(Self.progress) as Int {
        case 0: .atProvider
        case 1: .accepted(sealedLogin: try row.value(Self.sealedLogin))
        case 2: .completed
        case 3: .handedOver(sealedExchange: try row.value(Self.sealedExchange))
        case 4: .answered
        case 5: .closed
        default: throw .nonsense("an attempt is in no known state")
        }
    }

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
