import CMicrohttpd
import Glibc

/// Prepared answers in libmicrohttpd's form, ready to be sent again by the thread of one daemon.
///
/// To make such an answer takes some ten allocations, and as many to throw it away; another request's ID is written over
/// the last one's. Each is lent to one request at a time, until that has ended: libmicrohttpd reads an answer for as
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
            if stocked.date == now, stocked.name(response.idField) { return stocked }
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

@safe final class StockedResponse {
    let mould: ResponseMould
    /// The second its `Date` tells; in another it is of no use.
    let date: time_t
    private let response: OutgoingResponse
    private let status: HTTPStatus
    /// The name of the field with the last request's ID, and the place where libmicrohttpd keeps the ID.
    private let idName: UnsafePointer<UInt8>?
    private let idText: UnsafeMutableBufferPointer<UInt8>?

    /// - Returns: `nil` when there is no memory.
    init?(_ response: HTTPResponse, _ mould: ResponseMould, date: time_t) {
        guard let outgoing = OutgoingResponse(response, date: HTTPDate.text(date)) else { return nil }
        self.mould = mould
        self.date = date
        if let name = response.idField?.name {
            unsafe (self.idName, self.idText) = (name.utf8Start, outgoing.place(ofField: name, RequestID.textSize))
        } else {
            unsafe (self.idName, self.idText) = (nil, nil)
        }
        self.response = outgoing
        self.status = response.status
    }

    /// Names the next request in place of the last one. - Returns: `false` when the answer has no place for that.
    func name(_ field: (name: StaticString, id: RequestID)?) -> Bool {
        guard let field else { return unsafe self.idName == nil }
        guard let text = unsafe self.idText, unsafe self.idName == field.name.utf8Start else { return false }
        unsafe field.id.write(to: text)
        return true
    }

    func queue(on connection: OpaquePointer) -> MHD_Result {
        unsafe self.response.queue(self.status, on: connection)
    }
}
