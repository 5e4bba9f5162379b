/// Tokens and keys that Python's `cryptography` made: a signer that shares no line with the verifier.
enum ForeignVectors {
    static let keys = #"""
        {"keys":[
        {"kty":"RSA","kid":"rsa",
        "n":"q36neCYpThmZZS1V2hv3KmOpSQoZFUBsmb8VzT0BOuXoK0_drCbGQ_g2rPXk-sHVuYqZNiR5D-nldF-97Kj0jNXqLFZcZY_Ar\#
        zi5nH2lrySGFtfvzdifRDevIClAKCExLVt-NoHHPsM2UVKTL6fWEqeQSbyxN5Al3pK1S97Eo7o4UpimofdnvA-ouWwzTwGAPpVht\#
        6d1bWJqjaTfBgrmgC8aukj76IFfVJ2l8gMOuwsSUWIlhz--huyNTnV2T1Lz2HSo7gt5JBNDaahU4FmdexFec5XZ-iRSsTY2z-Mmm\#
        ub5jgRFNMZTBRFKJh7RbVpXHmaoXMFQ92TfLYrErzQpzQ",
        "e":"AQAB"},
        {"kty":"EC","kid":"ec256","crv":"P-256",
        "x":"XOxQnzEH459ckdIHTKlEG2djz_pf3LGXWwzGLvAb-rY",
        "y":"29aiLg9_mDTSZn4C7LZKHuUjgfKo34n3x2zuoktRy4Q"},
        {"kty":"EC","kid":"ec384","crv":"P-384",
        "x":"Qchq-udK3uoqyT6W51zBbriioMsOJnAWTIKeUNIxH_voCMYVNiUteP2jnijIyBWp",
        "y":"O2rdRFBVBW97HU-stHQzF1L6W59u8ybZeIwbeXClEKQbDaMqa4ozO_hi7htDnbuV"},
        {"kty":"EC","kid":"ec512","crv":"P-521",
        "x":"AeCgcEEorO3EIGzB9-i35PzkRQCW2sqZYoRfbnbL4iLYrmNP5uS-10m3RcgdOHwwpLht_Wn5HGAWTSu5_AhQAHHM",
        "y":"Abmmp97Oe6hYhJ9QFNUNhg7Mh15-dLHe36ZqWpBPss45pbJUGHCGo5tQKk-1BM_RYgSmGv5Usvh23Ynadi7ufsNN"}
        ]}
        """#

    static let tokens: [(algorithm: String, token: String)] = [
        (
            "RS256",
            "eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYSJ9.eyJzdWIiOiJ2aWV3ZXItMSJ9.N8XOb9tGFzjh3spzUMOekZ7iMIWeJQ2SxwDDLH"
                + "xzcrLhXwO9g1XRAovnXCJeHMsIbsLa-7d_thwgeBUPaOQCb8TUpwosdfdi59882NiFEbYt86hA0biLI0dcmUCkEAiUQDtNMJ1T9d"
                + "Qmjcq0_348CtdlQorVoFGRR3_BMyYjeQouZKuw4ZnELJ9HKcoSvfPfUtwjg_-c0ukarwiFjm64T-xRbCLKpLWy6reLv8yIkZsp6X"
                + "DhTKkpPwrmtnTyQcSlz-MDrXPmbnqISwqeI8Isc0guZxGxQUWR1RiGa89BbF0BZ4fxrEQbTIpqePvaRCmUGPSqo32614ZoWhto8U"
                + "2exg"
        ),
        (
            "RS384",
            "eyJhbGciOiJSUzM4NCIsImtpZCI6InJzYSJ9.eyJzdWIiOiJ2aWV3ZXItMSJ9.QNnBqHUlPn8DliG54dKNfanpyeQ_TvGhWrJGvG"
                + "DbzL0rfDLqudpl17gxqPOuCve8-CtINdhomzOm8lzCJOn_lRs9Hga5p6XBodU4ZFVhvguAJ4hosoox510oRLAnZpCRzPsGHCH0G1"
                + "Jmdoz2AMkGAgKw4UvmuA0lfkKFRjgWTY-EErfZuaJhsDnUFSc7--YzGgk8ePNZNlsoJ7CMk91DYtzNT4ZmKxT_iYMHPzcMx53TSr"
                + "zgCmmsZzTp9osNTMXHY9KzNS78abuOu0VpLVJqctFpB2xPEzblN4paPcPJd8Vmg2EJOjXcBoFQWZ5cKw3iQ--M2tcZ6jA433xNVK"
                + "2_iw"
        ),
        (
            "RS512",
            "eyJhbGciOiJSUzUxMiIsImtpZCI6InJzYSJ9.eyJzdWIiOiJ2aWV3ZXItMSJ9.hn5riiPn4J0RBEjCE05oP-COEelJU5coJRtVzv"
                + "tPqANdVxj1aS9GxWCcTqFoBmY31yfxLW4E_NzcEo2yeGMRhUmNZvq2Poop1U5CQpDiKHaIu4rruz9AbiBssAh7DlsLiu8ImHYni2"
                + "Sxi_IHtr566zIMgdyrM2gbRKwbvAPZARAjFTlmctmHj0ugWca5EY3PD-RwrPlFdOMww7Pry40vfWetgQ4f6oDccMGnRSIrVvHFLi"
                + "07WKHlywjQfsuJTTkRGrzofxge8r_xG8sLh3_gCZzq13YP1ngkTpIRpHvIXtobQvKaOXVAwLJ2lpgrk8Xw5k96MPMLsBwQkGU68w"
                + "GWAg"
        ),
        (
            "PS256",
            "eyJhbGciOiJQUzI1NiIsImtpZCI6InJzYSJ9.eyJzdWIiOiJ2aWV3ZXItMSJ9.H8zGXJMYNGP6QjLyiUgZd9RyUWjqyBZ4MzbtnJ"
                + "xVQwHf6mvXpsmElHo5gXRZgJGzXWNugfHWX3K652pE-QGph_5MhMEvOYCROeB-TrwG0QGF6E4wAw6MCeuCyUC4gu8reNqfStV7IQ"
                + "0m8gItEIbRBduS9-znDWT0uoxoCTc5JT-sMzGnZGQJWFKTtZRHG-TJw7HxXGeZTG1NPTFSXC-EbL3RrYjrceor2wIWf30FYmaqh2"
                + "NUZyTsPc4H-HXhgMaRG26kNwnECecaFzuXf5PPyJR1mF1N-2bFC0sT15h1DhA97HRrTohv6FQ0mw0RDtKvw88-y3TMyT7C49DEFo"
                + "ZQpw"
        ),
        (
            "PS384",
            "eyJhbGciOiJQUzM4NCIsImtpZCI6InJzYSJ9.eyJzdWIiOiJ2aWV3ZXItMSJ9.OkjANlhA2C9DnhdNbgAuZh5p0oLzm8CyTPnX_g"
                + "m15Tgy3WjCdB2XTJtMM8edSKJ9tX8CPoIHa1xro7LBTN5Wa6gB3SgRqe4RkhHGC3HxklQv6g8OaQNHWXcy-3padGhyPDPs5ZcIin"
                + "Ku6ukvMzr4n9QBZlYSUv7-sLBg7uW2Kze5WgZQE6tqSGL32Ilr7m6caFgbZthlal7fnBB80BepwHOaDeHrR5raz4S-4iOg1GXfCd"
                + "ctsQILKU_xZVBsKrbAKMAUS6MBpcz0L_PV7mqaR3xL84sDZd_Gyw2C_NRNfE3XPJ3BrSswOdSt3a6ouRt7jTUFrduqbHiPsuSMB-"
                + "M0tg"
        ),
        (
            "PS512",
            "eyJhbGciOiJQUzUxMiIsImtpZCI6InJzYSJ9.eyJzdWIiOiJ2aWV3ZXItMSJ9.bC7NIs9oOAp88YSqIg7k3-EFsAi47FZQC4BbUx"
                + "wGGB0GDtpBPcCA2Xdq0oi816YLRGwaOt9zauLlFinaqH_R9fXYog5zHERKQ7M4qSFfqaXRbLtRV37cQlZPrtUMYAxFZpV3tKLG8C"
                + "PWrtlS6QIiTu9W1h12rKyNsWXSBaVXU5_dnktr-W9OJ1mw7kkHKCTOK5h5i9L8j_PIg-JskNUoXq2VEiL05Fnb2T0SOTXajUlF5X"
                + "Q1SjNn8du1FU824Iwbgr3ItO3o22-kWb5aTAK4suF-JeZ3wI08lu8WFF9SDStVV1eYIhsdn2H4JCb8vXj76zTP3wZChftPa0hvsU"
                + "v2QQ"
        ),
        (
            "ES256",
            "eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjMjU2In0.eyJzdWIiOiJ2aWV3ZXItMSJ9.3U3nPfdf8fZV4Psq5A1saLjgfoZPjFr98EN"
                + "lk_OGMt8rdY9tVZPoG-sZiSd5jBuzTMp8uRluMamXcbXFU0T25Q"
        ),
        (
            "ES384",
            "eyJhbGciOiJFUzM4NCIsImtpZCI6ImVjMzg0In0.eyJzdWIiOiJ2aWV3ZXItMSJ9.iB758H1T83MHKiRwyBuGM3XElUsZjtRWrYK"
                + "xMkPqiah89YFlI7OjidR8ziuxq93HklTTGwAUZiepV4mPqViwOXPKm5nDUsNRGFktVHyxhK8Sp_7aynG_PPQF1eFTXEtJ"
        ),
        (
            "ES512",
            "eyJhbGciOiJFUzUxMiIsImtpZCI6ImVjNTEyIn0.eyJzdWIiOiJ2aWV3ZXItMSJ9.AB1yz_fFKDDGLynrKdJ_QPX_Rd7DsR5rhoE"
                + "TU1MkZMTiyjV13bvXJs5P65KW_doNfdL7K5wph71OlX4qL2gbnLxhAOkGgWn-TFzvb54rUkprqvpDPnVwuw5bfz8_vQvYoQaY9Ma"
                + "hj75tlBZacv83waTDMJ8NrbZRAJFR-byg0M8qVIbc"
        ),
    ]
}
