@testable import latchkey

extension FuzzTarget {
    /// What applications of the box and the agent's files say: the first byte says which.
    static let agent = FuzzTarget("agent") { input in
        let rest = Array(input.dropFirst())
        let value = text(rest)
        switch (input.first ?? 0) % 2 {
        case 0:
            guard let application = Application(value) else { return }
            precondition(application.name.utf8.count <= 263, "a name is bounded")
            precondition(Application(application.name) == application, "a name is read as it is told")
        default:
            guard let book = PermissionBook(content: rest) else { return }
            precondition(PermissionBook(content: book.content)?.decided == book.decided, "what is kept can be read")
        }
    }
}
