/// Which place belongs to which addresses of one family: where each range begins, in order, and what is there.
///
/// What no range holds has the place 0, so that a range needs no end of its own.
struct AddressRanges<Address: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    private var starts: [Address] = []
    private var places: [UInt32] = []
    /// Where the last range ends.
    private var lastEnd: Address?

    /// Appends a range behind all others; what is in them already stays as it is. One with the place of its neighbour
    /// takes no room.
    mutating func append(_ start: Address, through end: Address, place: UInt32) {
        var start = start
        if let lastEnd {
            guard end > lastEnd else { return }
            start = max(start, lastEnd + 1)
            if start > lastEnd + 1 { self.mark(lastEnd + 1, 0) }
        }
        self.mark(start, place)
        self.lastEnd = end
    }

    /// Ends the last range, and gives back the room that no other needs any more.
    mutating func finish() {
        if let lastEnd, lastEnd < .max { self.mark(lastEnd + 1, 0) }
        self.starts = Array(self.starts[...])
        self.places = Array(self.places[...])
    }

    private mutating func mark(_ start: Address, _ place: UInt32) {
        guard self.places.last != place else { return }
        self.starts.append(start)
        self.places.append(place)
    }

    /// The place of `address`; 0 where there is none.
    func place(of address: Address) -> UInt32 {
        var (low, high) = (0, self.starts.count)
        while low < high {
            let middle = (low + high) / 2
            if self.starts[middle] <= address { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? 0 : self.places[low - 1]
    }
}
