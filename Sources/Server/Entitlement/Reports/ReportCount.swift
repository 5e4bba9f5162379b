package import Clientless

/// How often something happened in one hour, or in one minute, to boxes of one kind, at one provider, for one requestor.
package struct ReportCount: Hashable, Sendable {
    /// The key of counts that are added up.
    package struct Key: Hashable, Sendable {
        /// Hours since 1970 (UTC).
        package let hour: Int64
        /// The minute of that hour, 0 to 59; `nil` for a count of the whole hour, as stores keep it.
        package let minute: Int?
        package let requestor: RequestorID
        /// `nil` if no provider was picked yet.
        package let mvpd: MVPDID?
        package let model: BoxModel
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

        init(_ event: BoxStep, model: BoxModel, isByMinute: Bool = false) {
            self.init(
                hour: Self.hour(of: event.time), minute: isByMinute ? Int(event.time.seconds / 60 % 60) : nil,
                requestor: event.requestor, mvpd: event.mvpd, model: model, event: event.kind)
        }

        /// The hour that a moment is in.
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

    package init(_ hours: Range<Int64>) {
        self.hours = hours
    }
}
