import POSIX
import Synchronization

/// The permissions and the file they are kept in.
final class PermissionDesk: Sendable {
    private let file: PrivateFile
    private let book: Mutex<PermissionBook>
    /// Held from reading the book to changing it: the file must not fall behind.
    private let turn = Mutex<Void>(())

    /// Reads the file; without one there are no decisions.
    /// - Parameter whenDamaged: told where a file was put aside that cannot be understood. There are no decisions then.
    /// - Throws: when there is a file that cannot be read: its decisions must not be forgotten.
    init(path: String, whenDamaged: (String) -> Void = { _ in }) throws(SystemError) {
        self.file = PrivateFile(path)
        var book: PermissionBook?
        do throws(SystemError) {
            book = PermissionBook(content: try WholeFile.read(path, limit: 1 << 20))
        } catch {
            guard error == .notFound || error == .tooLarge else { throw error }
            if error == .notFound { book = PermissionBook() }
        }
        if book == nil {
            let place = "\(path).damaged"
            try? PrivateFile(place).remove()
            try self.file.move(to: place)
            whenDamaged(place)
        }
        self.book = Mutex(book ?? PermissionBook())
    }

    private init(book: PermissionBook, file: PrivateFile) {
        self.book = Mutex(book)
        self.file = file
    }

    /// An empty desk that keeps no decision: for a description of the calls.
    static var empty: PermissionDesk { PermissionDesk(book: PermissionBook(), file: PrivateFile("/dev/null/none")) }

    func permission(of caller: AgentCaller) -> Permission {
        caller.isOperator ? .granted : self.book.withLock { $0[caller.application] }
    }

    var all: [(application: Application, permission: Permission)] { self.book.withLock { $0.all } }

    /// - Returns: whether it had not asked before.
    func ask(for caller: AgentCaller) -> Bool {
        caller.isOperator ? false : self.book.withLock { $0.ask(for: caller.application) }
    }

    /// Decides, durably. Blocks the thread while the file is written.
    /// - Throws: `conflict` or `storage` for a decision that was not kept; the former one stays in force.
    func decide(_ permission: Permission, for application: Application) throws(AgentError) {
        let result: Result<Void, AgentError> = self.turn.withLock { _ in
            var changed = self.book.withLock { $0 }
            let former = changed
            guard changed.decide(permission, for: application) else {
                let limit = PermissionBook.decidedLimit
                return .failure(AgentError(.conflict, "There are \(limit) permissions already; reset one first."))
            }
            do throws(SystemError) {
                if changed.decided != former.decided { try self.file.replace(changed.content) }
            } catch {
                return .failure(AgentError(.storage, "The permission cannot be kept: \(error)."))
            }
            self.book.withLock { _ = $0.decide(permission, for: application) }
            return .success(())
        }
        try result.get()
    }
}
