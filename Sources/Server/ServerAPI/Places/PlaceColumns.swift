/// Which column of a file of places says what, as its first line names them. Other columns are not looked at.
struct PlaceColumns: Sendable {
    /// How a row names its addresses.
    enum Addresses: Sendable {
        /// `192.0.2.0/24`.
        case network(Int)
        /// The first and the last address.
        case range(start: Int, end: Int)
    }

    let addresses: Addresses
    let country: Int
    let countryName: Int?
    let region: Int?
    let city: Int?

    /// - Throws: what is wrong with the names, as the rest of "line 1: …".
    init(_ names: [String]) throws(PlaceFault.Reason) {
        func column(_ name: String) throws(PlaceFault.Reason) -> Int? {
            let found = names.indices.filter { names[$0].lowercased() == name }
            guard found.count < 2 else { throw "names the column \(name) twice" }
            return found.first
        }
        let network = try column("network")
        let (start, end) = (try column("start"), try column("end"))
        switch (network, start, end) {
        case (let network?, nil, nil): self.addresses = .network(network)
        case (nil, let start?, let end?): self.addresses = .range(start: start, end: end)
        default: throw "has to name the columns, of them either network, or start and end"
        }
        guard let country = try column("country") else { throw "names no column country" }
        self.country = country
        self.countryName = try column("country_name")
        self.region = try column("region")
        self.city = try column("city")
    }
}
