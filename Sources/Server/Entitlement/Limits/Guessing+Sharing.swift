package import Clientless
import Synchronization

// Each node counts the wrong guesses of all: an address that is closed at one is closed at all a second later, and
// what the service can bear is not multiplied by the number of its nodes. What keeps viewers from being shut out by it
// goes the same way: who has just paired, and which code was shown in which network.
extension Guessing: SharedLimit {
    package func takeNotes(at uptime: Duration) -> GuessNotes {
        var notes = self.notes.take()
        notes.countLives(from: uptime)
        return notes
    }

    package func count(_ notes: GuessNotes, at uptime: Duration, now: Timestamp) {
        for (source, number) in notes.wrong.counts { self.count(number, of: source, at: uptime) }
        self.service.withLock { $0.budget.spend(notes.wrong.total, at: uptime) }
        for success in notes.successes {
            self.trust.remember(success.guesser.trustKeys, account: success.account, at: uptime)
        }
        for issued in notes.issued where issued.end > 0 {
            guard let code = RegistrationCodeText(String(decoding: issued.code, as: UTF8.self)) else { continue }
            self.keepIssued(code, to: issued.address, until: uptime + .milliseconds(issued.end))
        }
    }

    private func count(_ number: Int, of source: GuessNotes.Source, at now: Duration) {
        let (guesser, settings) = (source.guesser, self.settings)
        let closesAddress = self.ledgers.update(guesser.address.prefix(.address), initial: SourceLedger()) { ledger in
            ledger.wrong.add(Double(number), at: now, leak: settings.floor.leak, most: SourceLedger.most)
            return source.takesAddress && ledger.slots.countElsewhere(number, at: now, settings.address)
        }
        if closesAddress { self.disturb(until: now + settings.address.penalty) }
        if let session = guesser.session {
            let closes = self.sessions.update(session, initial: AttemptSlots()) {
                $0.countElsewhere(number, at: now, settings.session)
            }
            if closes { self.disturb(until: now + settings.session.penalty) }
        }
        if let relay = guesser.relay {
            let closes = self.relays.update(relay, initial: AttemptSlots()) {
                $0.countElsewhere(number, at: now, settings.relay)
            }
            if closes { self.disturb(until: now + settings.relay.penalty) }
        }
        for tier in guesser.address.tiers {
            guard let budget = settings.networks.budget(tier, of: guesser.address) else { continue }
            self.tiers.update(guesser.address.prefix(tier), initial: Tier()) {
                $0.wrong.add(Double(number), at: now, leak: budget.leak, most: Self.most(budget))
            }
        }
    }
}
