import CommandLineTool
import FoundationEssentials
import ServerAPI

@testable import AccessEnabler
@testable import latchkeyd

extension FuzzTarget {
    /// The configuration of `latchkeyd`.
    static let configuration = FuzzTarget("configuration") { input in
        _ = try? Configuration(text: Data(input), folder: "/nonexistent")
        _ = JSON5Places(input)
        _ = try? Configuration(
            text: Data("{}".utf8), [DropIn(.providers, name: "fuzz", text: Data(input))], folder: "/nonexistent")
        _ = DurationText.read(text(input))
    }

    /// A table of viewers.
    static let table = FuzzTarget("table") { input in
        guard let rows = try? CSVText.rows(of: text(input), limit: 1000) else { return }
        let written = rows.map { CSVText.row($0.values) }.joined()
        precondition((try? CSVText.rows(of: written, limit: 1000))?.count == rows.count, "what is written can be read")
    }

    /// The store of a box.
    static let storeImage = FuzzTarget("store-image") { input in
        guard let image = StoreImage(reading: input, scope: "fuzz") else { return }
        guard let written = try? image.encoded() else { return }
        precondition(StoreImage(reading: written, scope: "fuzz") != nil, "what is written can be read")
    }
}
