import Clientless
package import Entitlement

/// The columns of `attempts`.
package enum AttemptColumn: String, ColumnList {
    case id, code, requestor, mvpd
    /// NULL for an attempt that began on the server's own page, empty for one of a viewer who looks at their boxes.
    case redirectURL = "redirect_url"
    case browser, created, expires, progress
    case sealedLogin = "sealed_login"
    case sealedExchange = "sealed_exchange"
    case sealedAnswer = "sealed_answer"
    case version

    package static let names = joinedNames

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
            case .handedOver(let sealedExchange): .blob(sealedExchange)
            case .atProvider, .answered, .accepted, .completed, .closed: .null
            }
        // Answers are not kept.
        case .sealedAnswer: .null
        case .version: .integer(Int64(attempt.version))
        }
    }

    /// The values that change as an attempt goes on, behind its ID and the version they are put in place of.
    package static func swapValues(of attempt: LoginAttempt) -> [SQLValue] {
        let columns: [AttemptColumn] = [.id, .version, .progress, .sealedLogin, .sealedExchange, .sealedAnswer]
        return columns.map { $0.value(of: attempt) }
    }

    /// What a statement sets where a new attempt takes the place of one with its ID; the version is counted up there.
    package static let replacements = allCases.filter { $0 != .id && $0 != .version }
        .map { "\($0.rawValue) = excluded.\($0.rawValue)" }.joined(separator: ", ")

    package static func values(of attempt: LoginAttempt) -> [SQLValue] { self.allCases.map { $0.value(of: attempt) } }

    package static func attempt<Row: RecordRow & ~Copyable>(from row: inout Row) throws(Row.Failure) -> LoginAttempt {
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

    private static func progress<Row: RecordRow & ~Copyable>(
        from row: inout Row
    ) throws(Row.Failure) -> LoginAttempt.Progress {
        switch (try row.integer(Self.progress), try row.blobIfAny(Self.sealedLogin)) {
        case (0, _): return .atProvider
        case (1, let sealedLogin?): return .accepted(sealedLogin: sealedLogin)
        case (2, nil): return .closed
        case (2, let text?):
            guard let codeVersion = Int(String(decoding: text, as: UTF8.self)) else { break }
            return .completed(codeVersion: codeVersion)
        case (3, _):
            return .handedOver(sealedExchange: try row.blob(Self.sealedExchange))
        case (4, _): return .answered
        default: break
        }
        throw .nonsense("an attempt is in no known state")
    }
}
