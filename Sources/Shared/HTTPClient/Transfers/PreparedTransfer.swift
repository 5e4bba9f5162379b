import Synchronization

/// A transfer on its way to the loop: what to do, and whether the caller still wants it.
final class PreparedTransfer: Sendable {
    let plan: TransferPlan
    private let unwanted = Atomic(false)

    init(_ plan: TransferPlan) {
        self.plan = plan
    }

    /// Cancelling may come before the loop has seen the transfer; the mark stays for when it does.
    var isUnwanted: Bool { self.unwanted.load(ordering: .acquiring) }

    func markUnwanted() {
        self.unwanted.store(true, ordering: .releasing)
    }
}
