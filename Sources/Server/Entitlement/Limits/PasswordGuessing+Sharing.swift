package import Clientless

/// What a node tells others of guesses of passwords.
package struct PasswordNotes: LimitNotes, Hashable {
    /// A network or browser that signed in to an account.
    struct Success: Hashable, Codable, Sendable {
        let network: NetworkPrefix
        let session: [UInt8]?
        let account: String
    }

    private static let mostSuccesses = 256

    /// Wrong passwords of each source with a limit of its own.
    var sources = NotedCounts<PasswordGuessing.Source>()
    /// Wrong passwords of each account, from anywhere.
    var accounts = NotedCounts<String>()
    /// Wrong passwords of each account from each network.
    var pairs = NotedCounts<PasswordGuessing.Source>()
    private(set) var successes: [Success] = []

    package init() {}

    package var isEmpty: Bool {
        self.sources.isEmpty && self.accounts.isEmpty && self.pairs.isEmpty && self.successes.isEmpty
    }

    package mutating func takeSheet() -> Self {
        var sheet = self
        self = Self()
        (self.sources, self.accounts, self.pairs) = (sheet.sources, sheet.accounts, sheet.pairs)
        sheet.sources = self.sources.takeSheet()
        sheet.accounts = self.accounts.takeSheet()
        sheet.pairs = self.pairs.takeSheet()
        return sheet
    }

    mutating func noteSuccess(_ success: Success) {
        if self.successes.count < Self.mostSuccesses { self.successes.append(success) }
    }
}

// How many passwords are checked a minute is for the cores of one machine, and stays each node's own.
extension PasswordGuessing: SharedLimit {
    package func takeNotes(at uptime: Duration) -> PasswordNotes { self.notes.take() }

    package func count(_ notes: PasswordNotes, at uptime: Duration, now: Timestamp) {
        let settings = self.settings
        for (source, number) in notes.sources.counts {
            let limit = self.limit(of: source)
            _ = self.slots.update(source, initial: AttemptSlots()) {
                $0.countElsewhere(number, at: uptime, limit)
            }
        }
        for (account, number) in notes.accounts.counts {
            self.accounts.update(account, initial: Account()) {
                $0.wrong.add(
                    Double(number), at: uptime, leak: settings.crowdedAccount, most: settings.slowAccount * 2)
            }
        }
        for (pair, number) in notes.pairs.counts {
            self.pairs.update(pair, initial: LeakyCount()) {
                $0.add(Double(number), at: uptime, leak: settings.floor.leak, most: SourceLedger.most)
            }
        }
        for success in notes.successes {
            let keys = TrustMemory.Key.signIn(to: success.account, from: success.network, in: success.session)
            self.trust.remember(keys, account: success.account, at: uptime)
        }
    }

    private func limit(of source: Source) -> AttemptLimit {
        switch source {
        case .account: self.settings.account
        case .address: self.settings.address
        case .session: self.settings.session
        case .attempt: self.settings.attempt
        case .code: self.settings.code
        }
    }
}
