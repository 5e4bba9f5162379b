/// How the writer and the readers of one process fared since it started.
package struct SQLiteStoreStatistics: Hashable, Sendable {
    /// Callers' transactions that were put in line, and not refused.
    package private(set) var accepted = 0
    /// Commits that were tried.
    package private(set) var commits = 0
    /// Callers' transactions in them; divided by `commits`, the mean size of a batch.
    package private(set) var transactions = 0
    /// The most transactions in one commit.
    package private(set) var largestBatch = 0
    /// Callers' reads that were put in line, and not refused; one for each reading operation of the store.
    package private(set) var reads = 0

    mutating func countAcceptance() {
        self.accepted += 1
    }

    func adding(reads: Int) -> SQLiteStoreStatistics {
        var sum = self
        sum.reads += reads
        return sum
    }

    mutating func count(commitOf transactions: Int) {
        self.commits += 1
        self.transactions += transactions
        self.largestBatch = max(self.largestBatch, transactions)
    }
}
