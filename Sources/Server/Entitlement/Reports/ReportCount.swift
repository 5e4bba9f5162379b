package import Clientless

/// How often something happened in one hour, or in one minute, to boxes of one kind, at one provider, for one requestor.
package struct ReportCount: Hashable, Sendable {
    /// The key of counts that are added up.
    package struct Key: Hashable, Sendable {
        /// Hours since 1970 (UTC).
        package let hour: Int64
        /// The minute of that hour, 0 to 59; `nil` for a count of the whole hour, as stores keep it.
        package fileprivate(set) var minute: Int?
        package let requestor: RequestorID
        /// `nil` if no provider was picked yet.
        package let mvpd: MVPDID?
        package fileprivate(set) var model: BoxModel
        package let event: BoxStep.Kind

        package init(
            hour: Int64, minute: Int? = nil, requestor: RequestorID, mvpd: MVPDID?, model: BoxModel,
            event: BoxStep.Kind
        ) {
            self.hour = hour
            self.minute = minute
            self.requestor = requestor
            self.mvpd = mvpd
            self.model = model
            self.event = event
        }

        /// The key of the whole hour.
        init(_ event: BoxStep) {
            self.init(
                hour: Self.hour(of: event.time), requestor: event.requestor, mvpd: event.mvpd, model: event.model,
                event: event.kind)
        }

        package static func hour(of moment: Timestamp) -> Int64 { moment.seconds / 3600 }
    }

    package let key: Key
    package let count: Int

    package init(_ key: Key, count: Int) {
        self.key = key
        self.count = count
    }
}

/// Which counts are asked for, and what they need not be told apart by: a store answers with no more than that.
package struct ReportSelection: Hashable, Sendable {
    package let hours: Range<Int64>
    /// The requestors that are counted; `nil` means all.
    package var requestors: Set<RequestorID>?
    /// Whether the hours of a day (UTC) come as one, under the first of them.
    package var isByDay = false
    package var tellsProviders = true
    package var tellsModels = true

    package init(_ hours: Range<Int64>) { self.hours = hours }
}

/// The events of boxes in the last sixty minutes, by the minute and by everything that reports tell apart. It counts in
/// this process alone, since its start; its room is bounded however many boxes there are and whatever they call
/// themselves.
package struct RecentCounts: Sendable {
    package static let span: Duration = .seconds(3600)
    /// The most counts of one minute (``BoundedCounts``).
    static let mostKept = 256
    private static let minutes = 60

    /// Their numbers are minutes since 1970.
    private var ring = Array(repeating: (number: Int64(-1), counts: BoundedCounts()), count: Self.minutes)

    /// Counts an event. It takes the place of newer counts, too: they are of a clock that has been set back since.
    mutating func count(_ key: Hashed<ReportCount.Key>, at time: Timestamp) {
        guard time.milliseconds >= 0 else { return }
        let number = time.seconds / 60
        let place = Int(number % Int64(Self.minutes))
        if self.ring[place].number != number { self.ring[place] = (number, BoundedCounts()) }
        self.ring[place].counts.count(key, atMost: Self.mostKept)
    }

    /// The counts of the minutes from that of `start` on and before `end`, in no order.
    func counts(from start: Timestamp, until end: Timestamp) -> [ReportCount] {
        let first = start.seconds / 60
        let beyond = (end.seconds + 59) / 60
        return self.ring.filter { $0.number >= first && $0.number < beyond }.flatMap { minute in
            minute.counts.all(minute: Int(minute.number % 60))
        }
    }
}

/// The counts of one time. Boxes choose their names freely: beyond a number of counts kinds of boxes are no longer told
/// apart, and beyond twice of it an event is not counted.
struct BoundedCounts: Sendable {
    private var counts: [Hashed<ReportCount.Key>: Int] = [:]

    /// - Parameter minute: of the hour, if the counts are those of a minute.
    func all(minute: Int? = nil) -> [ReportCount] {
        self.counts.map {
            var key = $0.key.key
            key.minute = minute
            return ReportCount(key, count: $0.value)
        }
    }

    mutating func count(_ key: Hashed<ReportCount.Key>, atMost most: Int) {
        if let place = self.counts.index(forKey: key) { return self.counts.values[place] += 1 }
        if self.counts.count < most { return self.counts[key] = 1 }
        var plain = key.key
        plain.model = BoxModel()
        guard self.counts.count < 2 * most || self.counts[Hashed(plain)] != nil else { return }
        self.counts[Hashed(plain), default: 0] += 1
    }
}
