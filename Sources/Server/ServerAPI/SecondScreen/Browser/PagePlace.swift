import Clientless
import HTTPServer

/// The viewer's present page, so that it comes back in another language.
///
/// A page that answered a form is shown again as it was before the form was sent.
struct PagePlace: Sendable {
    /// The pages that are there for a viewer who comes back by GET; another path leads to the first.
    private static let paths = [
        ScreenPath.landing, ScreenPath.activate, ScreenPath.provider, ScreenPath.signIn, ScreenPath.handOver,
        ScreenPath.confirm, ScreenPath.done, ScreenPath.declined, ScreenPath.boxes, ScreenPath.allBoxes,
        ScreenPath.newBox, ScreenPath.errorCodes,
    ]

    /// The pages that answer forms which go elsewhere.
    private static let answering = [
        ScreenPath.decline: ScreenPath.activate, ScreenPath.passkeySignIn: ScreenPath.signIn,
        ScreenPath.passkey: ScreenPath.done, ScreenPath.boxChange: ScreenPath.boxes,
        ScreenPath.boxesOver: ScreenPath.boxes,
    ]

    private let path: String
    /// The parameter behind the path, if any.
    private let subject: (name: String, value: String)?
    /// Whether the confirmation is of a code that was read out.
    private let isReadOut: Bool

    /// - Parameters:
    ///   - path: the path of a page, or any other text.
    ///   - code: what stands in the field for the code, or names it.
    ///   - attempt: the login under way, or what a message about a new box holds.
    ///   - way: how the viewer knows the box.
    init(path: String, code: String?, attempt: String?, way: String?) {
        // The picker and the sign-in decline alike; a login's form names the login.
        let isOfLogin = path == ScreenPath.decline && attempt != nil
        self.path =
            isOfLogin ? ScreenPath.signIn : Self.answering[path] ?? Self.paths.first { $0 == path } ?? Self.paths[0]
        self.isReadOut = self.path == ScreenPath.confirm && way == "readOut"
        let token = attempt.flatMap { $0.utf8.count <= 128 ? $0 : nil }
        self.subject =
            switch self.path {
            case ScreenPath.activate, ScreenPath.provider: code.flatMap(Self.readable).map { ("code", $0) }
            case ScreenPath.signIn, ScreenPath.handOver, ScreenPath.confirm, ScreenPath.done, ScreenPath.boxes,
                ScreenPath.allBoxes:
                token.map { ("attempt", $0) }
            case ScreenPath.newBox: token.map { ("notice", $0) }
            default: nil
            }
    }

    init(_ visit: Visit) {
        // A problem is shown where no endpoint declares its fields.
        let (path, form, query) = (visit.request.path, visit.form.undeclared, visit.query.undeclared)
        let way = form["way"] ?? query["way"]
        // A provider's answer that could not be taken names its login.
        let isAnswer = path.hasPrefix("/sp/login/")
        let (first, second) = isAnswer ? ("state", "RelayState") : ("attempt", "notice")
        let attempt = form[first] ?? query[first] ?? form[second] ?? query[second]
        let code = form["code"] ?? query["code"]
        self.init(path: isAnswer ? ScreenPath.handOver : path, code: code, attempt: attempt, way: way)
    }

    /// A code as the page shows it, or what was typed in its place.
    private static func readable(_ code: String) -> String? {
        guard code.utf8.count <= 64 else { return nil }
        return RegistrationCodeText(code)?.grouped ?? ForeignText(code, limit: 32)?.text
    }

    var address: String {
        guard let (name, value) = self.subject else { return self.path }
        return self.isReadOut ? ScreenPath.confirmReadOut(value) : ScreenPath.path(self.path, name, value)
    }

    /// Whether its viewer looks at their boxes, or is about to.
    var isOfBoxes: Bool { self.path.hasPrefix(ScreenPath.boxes) }
    var isDone: Bool { self.path == ScreenPath.done }

    /// The fields that the form for the language sends along.
    var values: TemplateValues {
        let isCode = self.subject?.name == "code"
        return [
            "placePath": .text(self.path), "placeCode": .optional(isCode ? self.subject?.value : nil),
            "placeLogin": .optional(isCode ? nil : self.subject?.value),
            "placeWay": .optional(self.isReadOut ? "readOut" : nil),
        ]
    }
}
