import Clientless
import HTTPServer

/// The viewer's present page, so that it comes back in another language.
///
/// A page that answered a form is shown again as it was before the form was sent.
struct PagePlace: Hashable, Sendable {
    /// The part behind the path, if any.
    private enum Subject: Hashable, Sendable {
        case nothing
        case code(String)
        case attempt(String)
        /// The content of a message about a new box holds.
        case notice(String)
    }

    /// The pages that are there for a viewer who comes back by GET; another path leads to the first.
    private static let paths = [
        ScreenPath.landing, ScreenPath.activate, ScreenPath.provider, ScreenPath.signIn, ScreenPath.confirm,
        ScreenPath.done, ScreenPath.declined, ScreenPath.boxes, ScreenPath.allBoxes,
        ScreenPath.newBox, ScreenPath.errorCodes,
    ]

    /// The pages that answer forms which go elsewhere.
    private static let answering = [
        ScreenPath.decline: ScreenPath.activate, ScreenPath.passkeySignIn: ScreenPath.signIn,
        ScreenPath.passkey: ScreenPath.done, ScreenPath.boxChange: ScreenPath.boxes,
    ]

    private let path: String
    private let subject: Subject

    /// - Parameters:
    ///   - path: the path of a page, or any other text.
    ///   - code: what stands in the field for the code, or names it.
    ///   - attempt: the login under way, or what a message about a new box holds.
    init(path: String, code: String?, attempt: String?) {
        self.path = Self.answering[path] ?? Self.paths.first { $0 == path } ?? Self.paths[0]
        switch self.path {
        case ScreenPath.activate, ScreenPath.provider:
            self.subject = code.flatMap(Self.readable).map { .code($0) } ?? .nothing
        case ScreenPath.signIn, ScreenPath.confirm, ScreenPath.done, ScreenPath.boxes, ScreenPath.allBoxes:
            self.subject = attempt.flatMap { $0.utf8.count <= 128 ? .attempt($0) : nil } ?? .nothing
        case ScreenPath.newBox:
            self.subject = attempt.flatMap { $0.utf8.count <= 128 ? .notice($0) : nil } ?? .nothing
        default: self.subject = .nothing
        }
    }

    init(_ visit: Visit) {
        // A problem is shown where no endpoint declares its fields.
        let (form, query) = (visit.form.undeclared, visit.query.undeclared)
        self.init(
            path: visit.request.path, code: form["code"] ?? query["code"],
            attempt: form["attempt"] ?? form["notice"] ?? query["attempt"] ?? query["notice"])
    }

    /// A code as the page shows it, or what was typed in its place.
    private static func readable(_ code: String) -> String? {
        guard code.utf8.count <= 64 else { return nil }
        return RegistrationCodeText(code)?.grouped ?? ForeignText(code, limit: 32)?.text
    }

    var address: String {
        switch self.subject {
        case .nothing: self.path
        case .code(let code): ScreenPath.path(self.path, "code", code)
        case .attempt(let token): ScreenPath.path(self.path, "attempt", token)
        case .notice(let notice): ScreenPath.path(self.path, "notice", notice)
        }
    }

    /// The fields that the form for the language sends along.
    var values: TemplateValues {
        var values: TemplateValues = [
            "placePath": .text(self.path), "placeCode": .absent, "placeLogin": .absent,
        ]
        switch self.subject {
        case .nothing: break
        case .code(let code): values["placeCode"] = .text(code)
        case .attempt(let token), .notice(let token): values["placeLogin"] = .text(token)
        }
        return values
    }
}
