import CLinux
import Glibc

extension ThisProcess {
    /// The time of processors that all its threads used.
    package static var processorTime: Duration {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return .zero }
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// The bytes of memory that it occupies; `nil` if `/proc` does not tell.
    package static var residentMemory: Int? {
        // proc(5): the second number of statm is the resident set, in pages.
        guard let text = try? WholeFile.read("/proc/self/statm", limit: 4096) else { return nil }
        let numbers = String(decoding: text, as: UTF8.self).split(separator: " ").prefix(2).compactMap { Int($0) }
        return numbers.count == 2 ? numbers[1] * Int(sysconf(Int32(_SC_PAGESIZE))) : nil
    }

    /// The commit that the program was built from, in hex; `nil` if the build was not told.
    package static var commit: String? {
        let text = unsafe String(cString: clinux_commit())
        return text.isEmpty ? nil : text
    }
}

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

    /// Gives the system back the pages of memory that nothing uses (malloc_trim(3)). Else the C library keeps those between
    /// pieces that are in use, which after a rush are most.
    package static func releaseMemory() { malloc_trim(0) }

    /// Maps a piece of memory of `size` bytes or more by itself if no free one is large enough, so that the system has it
    /// back as soon as it is freed (mallopt(3), `M_MMAP_THRESHOLD`). Else the pages of freed pieces stay after a rush, as
    /// long as a small piece behind them is in use. Such a piece costs some ten microseconds more.
    package static func mapMemory(ofAtLeast size: Int) { mallopt(M_MMAP_THRESHOLD, Int32(clamping: size)) }

    /// Takes memory out of `count` arenas at most (mallopt(3), `M_ARENA_MAX`): what is freed in one is of no use to another.
    package static func shareMemory(arenas count: Int) { mallopt(M_ARENA_MAX, Int32(clamping: count)) }

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

extension ThisProcess {
    /// Keeps other processes of the same user from reading its memory, and the system from writing it to a file when
    /// it crashes.
    package static func keepMemoryPrivate() {
        // prctl(2), PR_SET_DUMPABLE: it fails only for other values than 0 and 1.
        clinux_forbid_dumps()
    }
}
