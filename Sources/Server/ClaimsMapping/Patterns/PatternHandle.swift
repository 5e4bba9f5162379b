import CPCRE2

/// A compiled pattern with what a match of it needs, all of PCRE2's.
@safe
struct PatternHandle: ~Copyable {
    private let code: OpaquePointer
    private let data: OpaquePointer
    private let context: OpaquePointer
    let groupCount: Int

    private init(code: OpaquePointer, data: OpaquePointer, context: OpaquePointer, groupCount: Int) {
        unsafe self.code = code
        unsafe self.data = data
        unsafe self.context = context
        self.groupCount = groupCount
    }

    deinit {
        unsafe pcre2_match_data_free_8(self.data)
        unsafe pcre2_match_context_free_8(self.context)
        unsafe pcre2_code_free_8(self.code)
    }

    /// - Throws: `pattern`.
    static func compile(_ pattern: String) throws(MappingFault) -> PatternHandle {
        var code: Int32 = 0
        var place = 0
        // PCRE2_NEVER_BACKSLASH_C: no half characters. PCRE2_UTF: characters are those of UTF-8.
        let options = UInt32(PCRE2_UTF) | UInt32(PCRE2_NEVER_BACKSLASH_C)
        let bytes = Array(pattern.utf8)
        guard let compiled = unsafe pcre2_compile_8(bytes, bytes.count, options, &code, &place, nil)
        else { throw .pattern(place: place) }
        guard let data = unsafe pcre2_match_data_create_from_pattern_8(compiled, nil) else {
            unsafe pcre2_code_free_8(compiled)
            throw .pattern(place: 0)
        }
        guard let context = unsafe pcre2_match_context_create_8(nil) else {
            unsafe pcre2_match_data_free_8(data)
            unsafe pcre2_code_free_8(compiled)
            throw .pattern(place: 0)
        }
        unsafe pcre2_set_depth_limit_8(context, 1_000)
        unsafe pcre2_set_heap_limit_8(context, 1_024)
        var groups: UInt32 = 0
        unsafe _ = pcre2_pattern_info_8(compiled, UInt32(PCRE2_INFO_CAPTURECOUNT), &groups)
        return unsafe PatternHandle(code: compiled, data: data, context: context, groupCount: Int(groups))
    }

    /// - Parameter text: UTF-8, which is not checked again.
    borrowing func match(_ text: [UInt8], steps: UInt32) -> MatchOutcome {
        unsafe pcre2_set_match_limit_8(self.context, steps)
        // An empty array may lend no address, and PCRE2 wants one.
        let subject = text.isEmpty ? [0] : text
        let options = UInt32(PCRE2_NO_UTF_CHECK)
        let count = unsafe pcre2_match_8(self.code, subject, text.count, 0, options, self.data, self.context)
        if count == PCRE2_ERROR_NOMATCH { return .unmatched }
        guard count > 0, let places = unsafe pcre2_get_ovector_pointer_8(self.data) else { return .costly }
        var groups: [[UInt8]] = []
        for group in 0...self.groupCount {
            let (start, end) = unsafe (places[2 * group], places[2 * group + 1])
            // Both are PCRE2_UNSET for a group that took no part, the largest size_t, which is -1 here: before one that
            // did as well, not only from `count` on. A lookbehind may set a start behind the end (pcre2api(3)).
            let isSet = group < count && start >= 0 && start <= end && end <= text.count
            groups.append(isSet ? Array(text[start..<end]) : [])
        }
        return .matched(groups)
    }
}
