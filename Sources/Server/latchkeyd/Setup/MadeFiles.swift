import FoundationEssentials

/// The files that a set-up has made so far, to be taken away again when it cannot be completed. Files that were there
/// before stay.
package final class MadeFiles {
    private var paths: [String] = []

    func folder(_ path: String) throws(OperatorError) {
        let isNew = PrivateFiles.status(path) == nil
        try PrivateFiles.makeFolder(path)
        if isNew { self.add(path) }
    }

    func file(_ path: String, _ contents: Data) throws(OperatorError) {
        try PrivateFiles.create(path, contents)
        self.add(path)
    }

    /// Remembers what other code is about to make, if it does not exist yet.
    func add(_ path: String) { self.paths.append(path) }

    func remove() {
        // A file that cannot be removed stands in the way of the next attempt, which reports it.
        for path in self.paths.reversed() { try? FileManager.default.removeItem(atPath: path) }
    }
}
