import POSIX

/// The transfers under way on the loop's thread. Not for any other thread: it is made, used and ended there.
struct RunningTransfers: ~Copyable {
    private let multi = MultiHandle()
    private var running: [ObjectIdentifier: Transfer] = [:]

    /// Starts a transfer, or answers it at once if it cannot be started.
    mutating func start(_ plan: TransferPlan, _ continuation: TransferContinuation) {
        guard !plan.isUnwanted else {
            continuation.resume(returning: .failure(HTTPClientError(.cancelled)))
            return
        }
        let transfer = Transfer(plan, continuation)
        do {
            try transfer.configure(keeping: plan)
            try self.multi.add(transfer)
            self.running[ObjectIdentifier(plan)] = transfer
        } catch {
            transfer.answer(.failure(error))
        }
    }

    /// Ends a transfer that is under way; does nothing to one that has ended.
    mutating func cancel(_ plan: TransferPlan) {
        guard let transfer = self.running.removeValue(forKey: ObjectIdentifier(plan)) else { return }
        transfer.answer(.failure(HTTPClientError(.cancelled)))
        self.multi.remove(transfer)
    }

    /// Lets libcurl do what can be done now, answers what is finished, and waits until there is more.
    mutating func work(untilRung bell: borrowing Bell) {
        self.multi.perform()
        while let (finished, result) = self.multi.nextFinished() {
            guard let (key, transfer) = self.running.first(where: { $0.value.isOn(finished) }) else { continue }
            self.running[key] = nil
            self.multi.remove(transfer)
            transfer.finish(result)
        }
        self.multi.wait(orUntilRung: bell)
    }

    /// Answers all callers that still wait; the connections close with this value.
    consuming func end() {
        for transfer in self.running.values {
            transfer.answer(.failure(HTTPClientError(.cancelled, detail: "the client is shut down")))
            self.multi.remove(transfer)
        }
    }
}
