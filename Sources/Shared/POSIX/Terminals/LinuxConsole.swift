import CLinux
import Glibc

/// The text console of Linux on a screen of the machine itself, of which the kernel knows what it can show.
package struct LinuxConsole: Hashable, Sendable {
    /// Whether it takes and shows UTF-8. The kernel tells of the keyboard alone, and unicode_start(1) sets both.
    package let isUnicode: Bool
    /// The characters of its font, as far as they are in the first plane.
    private let characters: Set<UInt16>

    /// - Returns: `nil` for every other terminal, a remote one among them.
    package init?(_ terminal: BorrowedDescriptor) {
        let mode = clinux_keyboard_mode(terminal.number)
        guard mode >= 0 else { return nil }
        // A font has at most 512 glyphs, and the map several characters for some.
        var map = [unipair](repeating: unipair(), count: 4096)
        let count = unsafe clinux_font_map(terminal.number, &map, UInt16(map.count))
        self.isUnicode = mode == K_UNICODE
        self.characters = Set(map.prefix(Int(max(0, count))).map(\.unicode))
    }

    /// - Parameter characters: of the first plane.
    package init(isUnicode: Bool, characters: String) {
        self.isUnicode = isUnicode
        self.characters = Set(characters.utf16)
    }

    package func shows(_ text: String) -> Bool { text.utf16.allSatisfy { self.characters.contains($0) } }
}
