/// The files of `locales/`, by the tag of their language, English first.
enum BoxLocales {
    static let languages: [String] = ["en", "de", "fr", "sv", "es", "pt", "it", "nl", "pl", "tr", "ja", "ar"]

    /// A file as it is; `nil` for a language there is none of. Only what is asked for is brought into memory.
    static func bytes(_ language: String) -> [UInt8]? {
        switch language {
        case "en": PackageResources.en_json
        case "de": PackageResources.de_json
        case "fr": PackageResources.fr_json
        case "sv": PackageResources.sv_json
        case "es": PackageResources.es_json
        case "pt": PackageResources.pt_json
        case "it": PackageResources.it_json
        case "nl": PackageResources.nl_json
        case "pl": PackageResources.pl_json
        case "tr": PackageResources.tr_json
        case "ja": PackageResources.ja_json
        case "ar": PackageResources.ar_json
        default: nil
        }
    }
}
