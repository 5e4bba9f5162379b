import FoundationEssentials
import JSON5

@testable import AccessEnabler
@testable import latchkeyd

extension FuzzTarget {
    /// The configuration of `latchkeyd`.
    static let configuration = FuzzTarget("configuration") { input in
        _ = try? Configuration(text: Data(input), folder: "/nonexistent")
        _ = JSON5Places(input)
        if var document = JSON5Document(input) {
            _ = document.set("fuzz", 1, in: [])
            precondition(JSON5Document(document.bytes) != nil, "what is changed can be read")
        }
        _ = DurationText.read(text(input))
    }

    /// What the box keeps, in today's form and the former.
    static let storeImage = FuzzTarget("store-image") { input in
        guard let image = StoreImage(reading: input, scope: "fuzz") ?? FormerBoxState.image(of: input, scope: "fuzz")
        else { return }
        guard let written = try? image.encoded() else { return }
        precondition(StoreImage(reading: written, scope: "fuzz") != nil, "what is written can be read")
    }
}
