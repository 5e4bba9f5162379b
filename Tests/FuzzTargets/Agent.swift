@testable import BoxAgent

extension FuzzTarget {
    /// What applications of the box and the agent's files say: the first byte says which.
    static let agent = FuzzTarget("agent") { input in
        let rest = Array(input.dropFirst())
        let value = text(rest)
        switch (input.first ?? 0) % 4 {
        case 0:
            guard let version = ContentVersion(tag: value) else { return }
            precondition(version.tag.utf8.count <= 34, "an entity tag is bounded")
            precondition(ContentVersion(tag: version.tag) == version, "a version is read as it is told")
        case 1:
            guard let application = Application(value) else { return }
            precondition(application.name.utf8.count <= 263, "a name is bounded")
            precondition(Application(application.name) == application, "a name is read as it is told")
        case 2:
            guard VendorGroupDesk.isName(value) else { return }
            precondition(!value.contains("/") && !value.hasPrefix("."), "a group's name is that of a file")
        default:
            guard let book = PermissionBook(content: rest) else { return }
            precondition(PermissionBook(content: book.content)?.decided == book.decided, "what is kept can be read")
        }
    }
}
