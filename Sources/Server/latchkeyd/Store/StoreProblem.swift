import CommandLineTool
import Entitlement

/// Says in words why the store cannot be used, and what an operator can do.
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
        return OperatorError(
            "\(self.name(file)) does not do what was asked (\(error.detail ?? error.code.description)).",
            advice: "Look whether another program holds it, and whether it can be read and written.",
            exitCode: .stateProblem)
    }

    private static func name(_ file: String?) -> String { file.map { "The store \($0)" } ?? "The store" }

    /// - Parameter file: the file of one of the stores; `nil` for a store that is none.
    static func describe(_ fault: StoreCopy.Fault, file: (StoreCopy.Side) -> String?) -> OperatorError {
        switch fault {
        case .store(let error, of: let side): self.describe(error, file: file(side))
        case .served(let side):
            OperatorError(
                "\(self.name(file(side))) is in use by a server or another copy, or was until less than two minutes ago.",
                advice: "Stop all servers that use it. A server or a copy that was killed counts for two minutes.",
                exitCode: .stateProblem)
        case .different(let table):
            OperatorError(
                "\(self.name(file(.target))) has other rows than the one to copy (\(table)).",
                advice: "Copy to a store that is new, or go on with the one that a copy was begun to.",
                exitCode: .stateProblem)
        case .changed:
            OperatorError(
                "\(self.name(file(.source))) changed while it was copied.",
                advice: "Stop all servers that use it, and copy again to a store that is new.",
                exitCode: .stateProblem)
        }
    }

    /// - Parameter file: the store's file; `nil` for a store that is none.
    static func describe(_ error: StoreError, file: String?) -> OperatorError {
        let store = self.name(file)
        let (sentence, advice): (String, String) =
            switch error.code {
            case .readOnly:
                (
                    "\(store) may not be written (\(error.detail)).",
                    file == nil
                        ? "A server that takes writes must be among the hosts. The role of store.migrationConnection must own the tables; "
                            + "'latchkeyd migrate' gives that of store.connection its rights."
                        : "The server's user must be able to write the file and to make files in its folder."
                )
            case .full: ("\(store) cannot be written: the disk is full.", "Make room, then start again.")
            case .damaged:
                (
                    "\(store) is damaged, or is no store (\(error.detail)).",
                    file == nil
                        ? "Put back a backup of the database."
                        : "Move it aside and put back a copy made with 'latchkeyd backup'."
                )
            case .newerSchema:
                (
                    "\(store) was written by a newer latchkeyd (\(error.detail)).",
                    file.map {
                        "Use that version again, or put back the copy of the older store that the upgrade kept: "
                            + "\($0).schemaN, where N is a number. A backup from before it does, too."
                    } ?? "Use that version again, or a backup from before it."
                )
            case .olderSchema:
                (
                    file == nil
                        ? "\(store) is not ready for this latchkeyd (\(error.detail))."
                        : "\(store) was written by an older latchkeyd (\(error.detail)).",
                    file == nil
                        ? "Run 'latchkeyd migrate' once; servers of the version before go on meanwhile."
                        : "Stop the older server, then bring the store up to date with 'latchkeyd migrate'; it keeps a copy."
                )
            case .unavailable, .conflict, .moved:
                (
                    "\(store) cannot be used now (\(error.detail)).",
                    file == nil
                        ? "Look whether its hosts can be reached, and what they log."
                        : "Another program may hold it for long, or its folder may be gone."
                )
            }
        return OperatorError(sentence, advice: advice, exitCode: .stateProblem)
    }
}
