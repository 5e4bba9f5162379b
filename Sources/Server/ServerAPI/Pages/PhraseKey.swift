package import Phrases
package import WebPages

/// The sentences the program chooses; those a template always says are named in the template alone.
package enum PhraseKey: String, CaseIterable, Sendable {
    case codeMissing = "code.missing"
    case codeUnknown = "code.unknown"
    case codeOver = "code.over"
    case codeUsed = "code.used"

    case providerPick = "provider.pick"

    case signInMissing = "signIn.missing"
    case signInRefused = "signIn.refused"
    case signInTooMany = "signIn.tooMany"
    case signInOver = "signIn.over"

    case readOutUnsaid = "readOut.unsaid"
    case otherChannels = "done.otherChannels"

    case boxNamed = "boxes.named"
    case boxEnded = "boxes.ended"
    case namelessEnded = "boxes.namelessEnded"
    case boxesEnded = "boxes.allEnded"
    case boxNameMissing = "boxes.nameMissing"
    case boxUnknown = "boxes.unknown"

    case passkeyRefused = "passkey.refused"
    case passkeyLate = "passkey.late"
    case passkeyNotKept = "passkey.notKept"

    case sameNetwork = "confirm.sameNetwork"
    case otherNetwork = "confirm.otherNetwork"
    case grant = "confirm.grant"
    case preview = "confirm.preview"
    case previewUsedUp = "confirm.usedUp"
    case periodUntil = "period.until"
    case periodMinutes = "period.minutes"
    case periodHours = "period.hours"
    case networkPart = "network.part"
    case placeNearTown = "place.near"
    case placeInCountry = "place.in"

    case agoNow = "ago.now"
    case agoMinutes = "ago.minutes"
    case agoHours = "ago.hours"
    case clock = "clock.utc"
    case datedClock = "clock.dated"
    case date = "date.long"
    case firstOfMonth = "date.first"

    case retryInSeconds = "problem.retry.seconds"
    case retryInMinutes = "problem.retry.minutes"
    case retryInHours = "problem.retry.hours"

    case boxesUnchanged = "problem.boxes.text"
    case startAgain = "problem.action"
    case tryAgain = "problem.again"
    case choosePicker = "problem.picker"

    /// The keys of all that the program chooses, with those of the months and of the pages of trouble.
    static let names =
        allCases.map(\.rawValue) + ["language.name"] + (1...12).map { "month.\($0)" }
        + Problem.Kind.allCases.flatMap { [$0.heading, $0.explanation] }
}

// The sentences of the pages: their files, and faults as those of templates.
extension Phrasebook {
    /// Reads a file of sentences, named by the tag of its language.
    /// - Throws: a fault when it is not a JSON object of sentences, or a sentence is malformed.
    package init(_ file: WebFile) throws(TemplateFault) {
        self = try located { () throws(PhraseFault) in
            try Phrasebook(language: String(file.name.prefix { $0 != "." }), file.bytes)
        }
    }

    func filled(by fallback: Phrasebook) throws(TemplateFault) -> Phrasebook {
        try located { () throws(PhraseFault) in try self.completed(by: fallback) }
    }

    func saying(_ texts: [String: String]) throws(TemplateFault) -> Phrasebook {
        try located { () throws(PhraseFault) in try self.replacing(texts) }
    }
}

private func located(_ make: () throws(PhraseFault) -> Phrasebook) throws(TemplateFault) -> Phrasebook {
    do throws(PhraseFault) {
        return try make()
    } catch {
        throw TemplateFault(file: "\(error.language).json", line: 0, message: error.message)
    }
}

/// The languages a browser asks for, best first (RFC 9110 12.5.4).
struct LanguagePreference: Hashable, Sendable {
    /// The bytes of the header that count, and the language ranges in them.
    private static let bytes = 512
    private static let ranges = 16

    /// Lower-case tags; `*` is left out, since it asks for nothing in particular.
    let tags: [String]

    /// Reads `Accept-Language` leniently: a range that is malformed is skipped, and of a long header only the
    /// beginning counts.
    init(_ header: String?) {
        var start = (header ?? "")[...]
        if start.utf8.count > Self.bytes {
            // The last one may have been cut in two.
            let beginning = start.utf8.prefix(Self.bytes + 1)
            start = start[..<(beginning.lastIndex(of: UInt8(ascii: ",")) ?? beginning.startIndex)]
        }
        let ranges = WeightedList.choices(in: start, limit: Self.ranges).filter { Self.isTag($0.name) && $0.weight > 0 }
        // Equal weights keep their order: the sort is by weight, then by place.
        self.tags = ranges.enumerated()
            .sorted { ($0.element.weight, $1.offset) > ($1.element.weight, $0.offset) }
            .map(\.element.name)
    }

    /// The best of `available`, by shortening each wish until it fits (RFC 4647 3.4).
    func choose(from available: [String]) -> String? {
        for tag in self.tags {
            if let match = languageFitting(tag, among: available) { return match }
        }
        return nil
    }

    /// Whether it is a language range of letters, digits and hyphens; `*` is none.
    private static func isTag(_ name: String) -> Bool {
        name.utf8.count <= 35 && name.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
    }
}
