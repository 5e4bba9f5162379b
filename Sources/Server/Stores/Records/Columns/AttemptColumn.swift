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
        case .id: .blob { $0.id.bytes }
        case .code: .text { $0.code.text }
        case .requestor: .text { $0.requestor.text }
        case .mvpd: .text { $0.mvpd.text }
        case .origin:
            .integer {
                switch $0.origin {
                case .secondScreen: 0
                case .foreignPage: 1
                case .boxList: 2
                }
            }
        case .redirectURL: .textIfAny { if case .foreignPage(let url) = $0.origin { url } else { nil } }
        case .browser: .blob { $0.browser }
        case .created: .time { $0.created }
        case .expires: .time { $0.expires }
        case .progress:
            .integer {
                switch $0.progress {
                case .atProvider: 0
                case .accepted: 1
                case .completed: 2
                case .handedOver: 3
                case .answered: 4
                case .closed: 5
                }
            }
        case .sealedLogin: .blobIfAny { if case .accepted(let login) = $0.progress { login } else { nil } }
        case .sealedExchange:
            .blobIfAny { if case .handedOver(let exchange) = $0.progress { exchange } else { nil } }
        case .version: .integer { Int64($0.version) }
        }
    }

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
