import Synchronization

/// The answer to a request that waits for something to happen (`Prefer: wait`, sdk-services 8).
///
/// A handler makes one, gives it to the code that knows when the wait is over, and returns `.held(reply)`. Completing it
/// before the handler has returned is fine. A completed answer goes out from the thread that completes it.
package final class HeldReply: Sendable {
    /// Takes the answer of a request the server has put aside.
    protocol Holder: AnyObject, Sendable {
        func send(_ response: HTTPResponse)
    }

    private enum State {
        case open
        case held(any Holder)
        case completed(HTTPResponse)
        case finished
    }

    private let state: Mutex<State>
    private let whenGone: (@Sendable () -> Void)?

    /// - Parameter whenGone: called at most once, and never after `complete`, when the client leaves before it is
    ///   answered. It runs on a thread of the server and must not block.
    package init(whenGone: (@Sendable () -> Void)? = nil) {
        self.state = Mutex(.open)
        self.whenGone = whenGone
    }

    /// Answers the request. Only the first call counts; it may come from any thread.
    package func complete(_ response: HTTPResponse) {
        let holder: (any Holder)? = self.state.withLock { state in
            switch state {
            case .open:
                state = .completed(response)
                return nil
            case .held(let holder):
                state = .finished
                return holder
            case .completed, .finished:
                return nil
            }
        }
        holder?.send(response)
    }

    /// Whether nothing more can be answered: completed, or the client is gone.
    package var isFinished: Bool {
        self.state.withLock { state in
            switch state {
            case .open, .held: false
            case .completed, .finished: true
            }
        }
    }

    /// Whether the server has put the request aside. An answer that comes before goes out on the connection as any
    /// other.
    package var isHeld: Bool { self.state.withLock { if case .held = $0 { true } else { false } } }

    /// Puts the request into the hands of `holder`, or returns the answer that came before.
    func hold(by holder: any Holder) -> HTTPResponse? {
        self.state.withLock { state in
            switch state {
            case .open:
                state = .held(holder)
                return nil
            case .completed(let response):
                state = .finished
                return response
            case .held, .finished:
                // One reply was returned for two requests: the second has no answer of its own.
                return HTTPResponse.text("Internal Server Error\n", status: .internalServerError)
            }
        }
    }

    /// No client will read a later answer: it has left, or could not be held.
    /// - Returns: the answer that came before the request was held; its client can still be sent that.
    @discardableResult
    func abandon() -> HTTPResponse? {
        let (isAbandoned, answer): (Bool, HTTPResponse?) = self.state.withLock { state in
            switch state {
            case .open, .held:
                state = .finished
                return (true, nil)
            case .completed(let response):
                state = .finished
                return (false, response)
            case .finished:
                return (false, nil)
            }
        }
        if isAbandoned { self.whenGone?() }
        return answer
    }
}
