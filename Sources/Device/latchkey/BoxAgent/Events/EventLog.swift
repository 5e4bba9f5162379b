import Clientless

/// The events that are kept for callers that come back: the last thousand, numbered.
struct EventLog: Sendable {
    static let limit = 1000
    /// Events of one answer; a caller that is further behind asks again.
    static let answerLimit = 200

    private var events: [BoxEvent] = []
    /// The place of the oldest one: the list is a ring once it is full.
    private var start = 0
    private(set) var last: Int64

    /// - Parameter last: the number before the first event. Every run of the agent begins with a higher one, so that
    ///   the agent recognises a number of an earlier run.
    init(after last: Int64) { self.last = last }

    private var first: Int64 { self.last - Int64(self.events.count) + 1 }

    mutating func append(_ news: BoxEvent.News, requestor: String?, at time: Timestamp) {
        self.last += 1
        let event = BoxEvent(news, at: time, requestor: requestor, number: self.last)
        if self.events.count < Self.limit {
            self.events.append(event)
        } else {
            self.events[self.start] = event
            self.start = (self.start + 1) % Self.limit
        }
    }

    struct Answer: Hashable, Sendable {
        var events: [BoxEvent]
        /// To be given with the next question.
        var next: Int64
    }

    /// The unit after a number.
    /// - Parameter isVisible: whether the caller may see an event.
    /// - Returns: `nil` when there is nothing for this caller: it may wait.
    func answer(after number: Int64, at time: Timestamp, _ isVisible: (BoxEvent) -> Bool) -> Answer? {
        let hasGap = number > self.last || number < self.first - 1
        let begin = hasGap ? self.first : number + 1
        var found: [BoxEvent] = []
        if hasGap { found.append(BoxEvent(.gap, at: time, number: begin - 1)) }
        var position = begin
        while position <= self.last, found.count < Self.answerLimit {
            let event = self.events[(self.start + Int(position - self.first)) % self.events.count]
            if isVisible(event) { found.append(event) }
            position += 1
        }
        return found.isEmpty ? nil : Answer(events: found, next: position - 1)
    }
}
