/// Codes that PostgreSQL makes by itself, as the server would have made them.
enum PostgresFilling {
    /// Fills so many waiting codes in, each of a box of its own, that end one after the other within the next half hour.
    ///
    /// The codes are eight characters of the alphabet of codes, in no order; so are the devices' hashes.
    ///
    /// PostgreSQL writes a page to its log as a whole when it changes first after a checkpoint. A server that creates
    /// codes all day has changed each page of its indexes soon after one, and has pages that are filled by two thirds.
    /// So the indexes are made anew behind the last checkpoint, with as much room.
    static func fill(_ count: Int, _ postgres: BenchPostgres, in database: String) async throws {
        try await postgres.run([self.statement(count), "CHECKPOINT"], in: database)
        let indexes = try await postgres.run(
            ["SELECT indexrelid::regclass FROM pg_index WHERE indrelid = 'latchkey.codes'::regclass"], in: database)
        let room = indexes.split(separator: "\n").map { "ALTER INDEX \($0) SET (fillfactor = 68)" }
        try await postgres.run(
            room + ["REINDEX TABLE latchkey.codes", "VACUUM (ANALYZE) latchkey.codes"], in: database)
    }

    private static func statement(_ count: Int) -> String {
        let letters = (0..<8).map { place in
            "substr('BCDFGHJKLMNPQRSTVWXZ23456789', 1 + get_byte(digest, \(place)) % 28, 1)"
        }
        return """
            INSERT INTO latchkey.codes (code, id, requestor, device_id, device, box_model, box_software,
                box_information, box_address, generated, expires, state, version, open_until)
            SELECT \(letters.joined(separator: " || ")), gen_random_uuid()::text, '\(BenchServer.requestor)',
                'filled-' || number, digest, 'Bench Box', 'Linux 6.1', repeat('i', 120),
                '10.' || get_byte(digest, 8) || '.' || get_byte(digest, 9) || '.1',
                now_ms, now_ms + 1800000 * number / \(count), 0, 0, now_ms + 1800000 * number / \(count)
            FROM (SELECT number, sha256(convert_to(number::text, 'UTF8')) AS digest,
                (extract(epoch FROM now()) * 1000)::bigint + 300000 AS now_ms
                FROM generate_series(1::bigint, \(count)) AS numbers (number)) AS numbered
            ON CONFLICT (code) DO NOTHING
            """
    }
}
