import CCurl
import POSIX
import Synchronization

typealias TransferContinuation = CheckedContinuation<Result<HTTPClient.Response, HTTPClientError>, Never>

/// The thread that runs a client's transfers, and the mailbox in front of it.
///
/// All of libcurl is used on that thread only. Others put commands into the mailbox and ring the bell.
final class TransferLoop: Sendable {
    enum Command: Sendable {
        case start(TransferPlan, TransferContinuation)
        case cancel(TransferPlan)
    }

    private struct Mailbox {
        var commands: [Command] = []
        /// Set once: the thread ends after these commands.
        var isLast = false
        var isRunning = false
        var whenStopped: [CheckedContinuation<Void, Never>] = []
    }

    private let mailbox = Mutex(Mailbox())
    private let bell = Bell()

    /// Hands a transfer to the thread, which is started for the first one.
    func start(_ transfer: TransferPlan, _ continuation: TransferContinuation) {
        let failure: HTTPClientError? = self.mailbox.withLock { mailbox in
            if mailbox.isLast { return HTTPClientError(.cancelled, detail: "the client is shut down") }
            if !mailbox.isRunning {
                guard self.bell.isUsable, startThread({ self.run() }) else {
                    return HTTPClientError(.other, detail: "no thread or pipe is to be had")
                }
                mailbox.isRunning = true
            }
            mailbox.commands.append(.start(transfer, continuation))
            return nil
        }
        if let failure {
            continuation.resume(returning: .failure(failure))
        } else {
            self.bell.ring()
        }
    }

    /// Ends a transfer, whether the thread has seen it or not.
    func cancel(_ transfer: TransferPlan) {
        transfer.markUnwanted()
        self.mailbox.withLock { $0.commands.append(.cancel(transfer)) }
        self.bell.ring()
    }

    /// Ends the thread, and resumes `continuation` once it has ended.
    func stop(then continuation: CheckedContinuation<Void, Never>?) {
        let isRunning = self.mailbox.withLock { mailbox in
            mailbox.isLast = true
            if mailbox.isRunning, let continuation { mailbox.whenStopped.append(continuation) }
            return mailbox.isRunning
        }
        if isRunning {
            self.bell.ring()
        } else {
            continuation?.resume()
        }
    }

    /// The thread's work: until the last mail, take mail, let libcurl work, wait.
    private func run() {
        var transfers = RunningTransfers()
        while true {
            let (commands, isLast) = self.mailbox.withLock { mailbox in
                defer { mailbox.commands = [] }
                return (mailbox.commands, mailbox.isLast)
            }
            for command in commands {
                switch command {
                case .start(let transfer, let continuation): transfers.start(transfer, continuation)
                case .cancel(let transfer): transfers.cancel(transfer)
                }
            }
            if isLast { break }
            transfers.work(untilRung: self.bell)
        }
        transfers.end()
        // Otherwise the end of the thread frees this, while the program may be taking OpenSSL down, which frees it, too.
        OPENSSL_thread_stop()
        let waiting = self.mailbox.withLock { mailbox in
            mailbox.isRunning = false
            return mailbox.whenStopped
        }
        for continuation in waiting { continuation.resume() }
    }
}
