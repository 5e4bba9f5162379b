import CommandLineTool
import Entitlement

/// Says in words why the store cannot be used, and what an operator can do.
enum StoreProblem {
    /// - Parameter file: the store's file, where it is known.
    static func describe(_ error: StoreError, file: String?) -> OperatorError {
        let store = file.map { "The store \($0)" } ?? "The store"
        let (sentence, advice): (String, String) =
            switch error.code {
            case .readOnly:
                (
                    "\(store) may not be written (\(error.detail)).",
                    "The server's user must be able to write the file and to make files in its folder."
                )
            case .full: ("\(store) cannot be written: the disk is full.", "Make room, then start again.")
            case .damaged:
                (
                    "\(store) is damaged, or is no store (\(error.detail)).",
                    "Move it aside and put back a copy made with 'latchkeyd backup'."
                )
            case .newerSchema:
                (
                    "\(store) was written by a newer latchkeyd (\(error.detail)).",
                    "Use that version again, or a backup from before it."
                )
            case .olderSchema:
                (
                    "\(store) was written by an older latchkeyd (\(error.detail)).",
                    "Stop the older server, then bring the store up to date with 'latchkeyd migrate'; it keeps a copy."
                )
            case .unavailable, .conflict:
                (
                    "\(store) cannot be used now (\(error.detail)).",
                    "Another program may hold it for long, or its folder may be gone."
                )
            }
        return OperatorError(sentence, advice: advice, exitCode: .stateProblem)
    }
}
