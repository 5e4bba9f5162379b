import Clientless

/// How long a viewer has to wait, in words and in whole units, rounded up: trying at the time told works.
enum WaitingTime {
    static func phrase(_ duration: Duration) -> Phrase {
        let seconds = self.wholeSeconds(duration)
        switch seconds {
        case ...90: return Phrase(.retryInSeconds, ["count": .number(seconds)])
        case ...5400: return Phrase(.retryInMinutes, ["count": .number((seconds + 59) / 60)])
        default: return Phrase(.retryInHours, ["count": .number((seconds + 3599) / 3600)])
        }
    }

    /// The value of `Retry-After`: at least one.
    static func wholeSeconds(_ duration: Duration) -> Int {
        max(1, Int((duration.wholeMilliseconds + 999) / 1000))
    }
}
