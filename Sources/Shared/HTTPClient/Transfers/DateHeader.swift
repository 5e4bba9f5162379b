import CCurl

/// The moment a header's date names, in any of the forms of RFC 9110 5.6.7.
func secondsSince1970(_ text: String) -> Int64? {
    // curl_getdate(3): -1 for what it cannot read, and for the one second before 1970.
    let seconds = unsafe curl_getdate(text, nil)
    return seconds == -1 ? nil : Int64(seconds)
}
