import Foundation

/// Cases that a run of `deploy/test` samples, as each takes long and most are alike. `deploy/test thorough` takes all.
package enum EveryCase {
    /// Whether this run takes every case: `LATCHKEY_EVERY_CASE` is set.
    package static let isWanted = ProcessInfo.processInfo.environment["LATCHKEY_EVERY_CASE"] != nil

    /// Every tenth of `cases`, beginning with the first; all of them in a run that takes every case.
    package static func sample<Case>(_ cases: [Case]) -> [Case] {
        self.isWanted ? cases : cases.enumerated().filter { $0.offset % 10 == 0 }.map(\.element)
    }
}
