@testable import ServerAPI

extension FuzzTarget {
    /// A logo, as a provider's server answers with it.
    static let picture = FuzzTarget("picture") { input in
        guard let picture = try? Picture(input, atMost: LogoShelf.maximumSize) else { return }
        precondition(picture.bytes == input && input.count <= LogoShelf.maximumSize, "it is kept as it came")
        let (width, height) = (picture.size.width, picture.size.height)
        precondition(width <= 16 * height && height <= 16 * width, "both sides can be seen")
        switch picture.kind {
        case .png, .webP:
            precondition(width * height <= Double(PictureSize.mostPixels), "a phone can unpack it")
        case .svg:
            // In remarks and in character data anything may stand.
            guard !Self.has("<!--", input), !Self.has("<![CDATA[", input) else { return }
            for word in ["<script", "<!DOCTYPE", "<foreignObject", "<image", "<a ", "<set", "<?php"] {
                precondition(!Self.has(word, input), "it draws and does nothing else")
            }
        }
    }
}

extension FuzzTarget {
    fileprivate static func has(_ word: String, _ input: [UInt8]) -> Bool {
        let count = word.utf8.count
        guard input.count >= count else { return false }
        return (0...input.count - count).contains { input[$0..<$0 + count].elementsEqual(word.utf8) }
    }
}
