import CommandLineTool
import Entitlement

/// Says in words why the store cannot be used, and what an operator can do. In all of them `file` is the store's file,
/// `nil` for a store that is none, and `move` says where and when the store was copied.
enum StoreProblem {
    /// - Returns: an `OperatorError` for a failure of the store, else `error` itself.
    static func described(_ error: any Error, file: String?) -> any Error {
        switch error {
        case let error as StoreError: self.describe(error, file: file)
        case let error as EntitlementError: self.describe(error, file: file)
        default: error
        }
    }

    private static func describe(_ error: EntitlementError, file: String?) -> OperatorError {
        if let cause = error.storeError { return self.describe(cause, file: file) }
        return self.problem(
            "\(self.name(file)) does not do what was asked (\(error.detail ?? error.code.description)).",
            "Look whether another program holds it, and whether it can be read and written.")
    }

    private static func name(_ file: String?) -> String { file.map { "The store \($0)" } ?? "The store" }

    static func describe(_ fault: StoreCopy.Fault, file: (StoreCopy.Side) -> String?) -> OperatorError {
        switch fault {
        case .store(let error, of: let side): self.describe(error, file: file(side))
        case .served(let side):
            file(side).map(self.used)
                ?? self.problem(
                    "The store is in use by a server or another copy, or was until less than two minutes ago.",
                    "Stop all servers that use it. A server or a copy that was killed counts for two minutes.")
        case .different(let table):
            self.problem(
                "\(self.name(file(.target))) has other rows than the one to copy (\(table)).",
                file(.target).map {
                    "Perhaps it is the old store, which was copied from and is out of use. Move \($0), \($0)-wal and "
                        + "\($0)-shm away, and copy again."
                } ?? "Copy to a store that is new, or go on with the one that a copy was begun to.")
        case .changed:
            self.problem(
                "\(self.name(file(.source))) changed while it was copied.",
                "Stop all servers that use it, run no other command, and copy again to a store that is new. Serve from "
                    + "no store that a copy was only begun to.")
        }
    }

    static let noFile = StoreProblem.problem(
        "The configured store is no file of this machine.",
        "For PostgreSQL use pg_basebackup or pg_dump, and keep the key folder with the copy.")

    static func used(_ file: String) -> OperatorError {
        self.problem(
            "The store \(file) is in use by a server or a copy, and a file is for one at a time.",
            "Stop that one first. Several servers can share a store in PostgreSQL.")
    }

    static func moved(_ move: String, file: String?) -> OperatorError {
        OperatorError(
            "\(self.name(file)) was copied to \(move), and lacks what was changed there since.",
            advice: "Set store.kind to the store that is in use. If that one is lost, 'latchkeyd store take-back' goes "
                + "on with this one.", exitCode: .configuration)
    }

    /// - Parameter isServed: whether a server uses the copy.
    static func notTakenBack(_ move: String, isServed: Bool, file: String?) -> OperatorError {
        guard !isServed else {
            return self.problem(
                "\(self.name(file)) was copied to \(move), and a server uses that copy, or did until less than two minutes ago.",
                "Nothing was changed. Set store.kind to the copy, or stop all servers that use it, and then take this store "
                    + "back.")
        }
        return self.problem(
            "\(self.name(file)) was copied to \(move). Whatever changed in the copy since is lost: sign-ins, accounts, keys "
                + "and revocations.",
            "Nothing was changed. 'latchkeyd store copy' brings the changes back. To lose them, stop all servers that use "
                + "the copy, and run 'latchkeyd store take-back --yes'.")
    }

    static func describe(_ error: StoreError, file: String?) -> OperatorError {
        let (store, detail) = (self.name(file), error.detail)
        return switch error.code {
        case .readOnly:
            self.problem(
                "\(store) may not be written (\(detail)).",
                file != nil
                    ? "The server's user must be able to write the file and to make files in its folder."
                    : "A server that takes writes must be among the hosts. The role of store.migrationConnection must own "
                        + "the tables; 'latchkeyd migrate' gives that of store.connection its rights.")
        case .full: self.problem("\(store) cannot be written: the disk is full.", "Make room, then start again.")
        case .damaged:
            self.problem(
                "\(store) is damaged, or is no store (\(detail)).",
                file != nil
                    ? "Stop the server. Move the file aside with those that end in -wal and -shm beside it, and put back "
                        + "the store of a backup."
                    : "Put back a backup of the database.")
        case .foreignLog:
            self.problem(
                "\(store) is a copy, and \(file ?? "")-wal beside it is the log of another one: together they are neither.",
                "Nothing was changed. If a server runs, stop it first. Then remove that log, "
                    + "'rm \(file ?? "")-wal \(file ?? "")-shm', and start again.")
        case .newerSchema:
            self.problem(
                "\(store) was written by a newer latchkeyd (\(detail)).",
                file.map {
                    "Use that version again, or put back the copy of the older store that the upgrade kept: "
                        + "\($0).schemaN, where N is a number. A backup from before it does, too."
                } ?? "Use that version again, or a backup from before it.")
        case .olderSchema where file == nil:
            self.problem(
                "\(store) is not ready for this latchkeyd (\(detail)).",
                "Run 'latchkeyd migrate' once; servers of the version before go on meanwhile.")
        case .olderSchema:
            self.problem(
                "\(store) was written by an older latchkeyd (\(detail)).",
                "Stop the older server, then bring the store up to date with 'latchkeyd migrate'; it keeps a copy.")
        case .unavailable, .conflict, .moved:
            self.problem(
                "\(store) cannot be used now (\(detail)).",
                file != nil
                    ? "Another program may hold it for long, or its folder may be gone."
                    : "If a host answered, mend what it refuses in store.connection, such as the role, the password or "
                        + "sslmode. If none did, look whether its hosts can be reached, and what they log.")
        }
    }

    private static func problem(_ sentence: String, _ advice: String) -> OperatorError {
        OperatorError(sentence, advice: advice, exitCode: .stateProblem)
    }
}
