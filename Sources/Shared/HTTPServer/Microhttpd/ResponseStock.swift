import CMicrohttpd
import Glibc

/// Prepared answers in libmicrohttpd's form, ready to be sent again by the thread of one daemon.
///
/// To make such an answer takes some ten allocations, and as many to throw it away; to write another request's ID into
/// one takes three. Each is lent to one request at a time, until that has ended: libmicrohttpd reads an answer for as
/// long.
///
/// Sendable by argument: a daemon calls its callbacks on its one thread, or, once that has been joined, on the thread
/// that stops it (`MHD_stop_daemon`), and only they touch its stock.
final class ResponseStock: @unchecked Sendable {
    /// By the number of the mould, modulo ``mouldLimit``: reloads make new moulds in place of the old.
    private var idle: [[StockedResponse]] = []

    /// Moulds that are kept; there are a few dozen.
    private static let mouldLimit = 256
    /// Answers of one mould that wait to be used again: more are lent only while clients read slowly.
    private static let limitOfMould = 4

    /// - Returns: `nil` when the answer is not prepared, or there is no memory.
    func take(_ response: HTTPResponse) -> StockedResponse? {
        guard let mould = response.mould else { return nil }
        let now = time(nil)
        let place = mould.number % Self.mouldLimit
        while place < self.idle.count, self.idle[place].last?.mould == mould,
            let stocked = self.idle[place].popLast()
        {
            guard stocked.date == now else { continue }
            stocked.name(response.idField)
            return stocked
        }
        return StockedResponse(response, mould, date: now)
    }

    /// To be called when the request it was lent to has ended.
    func giveBack(_ stocked: StockedResponse) {
        let place = stocked.mould.number % Self.mouldLimit
        while self.idle.count <= place { self.idle.append([]) }
        if let other = self.idle[place].last, other.mould != stocked.mould {
            // A late answer of a replaced route does not drive out those in use.
            guard other.mould.number < stocked.mould.number else { return }
            self.idle[place] = []
        }
        if self.idle[place].count < Self.limitOfMould { self.idle[place].append(stocked) }
    }
}

/// One answer of the stock.
@safe final class StockedResponse {
    let mould: ResponseMould
    /// The second its `Date` tells; in another it is of no use.
    let date: time_t
    private let response: OutgoingResponse
    private let status: HTTPStatus
    /// The name of the field with the last request's ID, and the ID as a C string.
    private var idName: StaticString?
    private let idText = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: RequestID.textSize + 1)

    /// - Returns: `nil` when there is no memory.
    init?(_ response: HTTPResponse, _ mould: ResponseMould, date: time_t) {
        guard let outgoing = OutgoingResponse(response, date: HTTPDate.text(date)) else { return nil }
        self.mould = mould
        self.date = date
        self.response = outgoing
        self.status = response.status
        unsafe self.idText.initialize(repeating: 0)
        self.name(response.idField)
    }

    deinit { unsafe self.idText.deallocate() }

    /// Names the next request in place of the last one.
    func name(_ field: (name: StaticString, id: RequestID)?) {
        unsafe self.idText.withMemoryRebound(to: CChar.self) { text in
            guard let text = text.baseAddress else { return }
            if let old = self.idName { unsafe self.response.removeField(Self.cString(old), text) }
            self.idName = field?.name
            guard let field else { return }
            unsafe field.id.write(to: self.idText)
            unsafe self.response.addField(Self.cString(field.name), text)
        }
    }

    /// "The static string must store a pointer to either ASCII or UTF-8 code units", which end with NUL.
    private static func cString(_ text: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    func queue(on connection: OpaquePointer) -> MHD_Result {
        unsafe self.response.queue(self.status, on: connection)
    }
}
