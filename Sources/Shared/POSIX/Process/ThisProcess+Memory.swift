import Glibc

extension ThisProcess {
    /// Unmaps the pages of code. They are counted, and mapped, again as they are used.
    ///
    /// Starting touches most of the code once: the runtime's tables, JSON, OpenSSL's and libcurl's own start. A program
    /// that then waits needs a small part of it, yet the kernel leaves every touched page mapped and counted until
    /// memory is short; that was 19 of 22 MB of a waiting box. Pages of code are never changed, so dropping them loses
    /// nothing: what is needed again comes from the page cache within microseconds.
    package static func releaseCode() {
        for range in Self.codeRanges() {
            // madvise(2), MADV_DONTNEED: "subsequent accesses of pages in the range will succeed, but will result in
            // either repopulating the memory contents from the up-to-date contents of the underlying mapped file".
            // True only of pages that were never written to, hence code and nothing else.
            let start = unsafe UnsafeMutableRawPointer(bitPattern: range.lowerBound)
            _ = unsafe madvise(start, Int(range.count), MADV_DONTNEED)
        }
    }

    /// The mappings of files that can be executed and not written (proc(5), `/proc/[pid]/maps`).
    private static func codeRanges() -> [Range<UInt>] {
        guard let maps = try? WholeFile.read("/proc/self/maps", limit: 1 << 20) else { return [] }
        return String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count >= 6, fields[1] == "r-xp", fields[5].hasPrefix("/") else { return nil }
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
            return bounds[0]..<bounds[1]
        }
    }
}
