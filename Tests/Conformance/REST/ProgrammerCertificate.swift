/// A programmer's key pair, made for these tests with `openssl req -x509 -newkey rsa:2048`.
enum ProgrammerCertificate {
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIDHTCCAgWgAwIBAgIUTho0bswSf/NCrTbTNE0mO10nh3kwDQYJKoZIhvcNAQEL
        BQAwHTEbMBkGA1UEAwwScHJvZ3JhbW1lci5leGFtcGxlMCAXDTI2MTEyMTAxMDMx
        MVoYDzIxMjYxMDI4MDEwMzExWjAdMRswGQYDVQQDDBJwcm9ncmFtbWVyLmV4YW1w
        bGUwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQC50Fj78WXjeeP6+YUk
        FBz4dZ9QCPProFiYP0wgNJ7Bn7zt85ndSPIfUVdFJoF0UVger4UVim9bfYtw/Ogx
        ZGPS/+Lf4yq1f7lvVhBOkLDfnn5xXCD7exlVFFjO8vpsqeUiDs2PK6UIi68uED2/
        QYfi8mtKvmUphd7NXmvgRsOZr/QqlPrU4vA2AJJ4imUU0JaNYWF67ds3aE/iUxVf
        CXlaVFa/ALD5eZI2XNJq3mDJzf1jP03fmJQrxVo6JKBgGrN1o1sdH+sW+KJICMev
        vqZFoYSiGbOhQKHwBTFdt91QGaTggg3RGQflDJf01pclvTgtZ5BvrILVOz+krI9a
        QJIDAgMBAAGjUzBRMB0GA1UdDgQWBBRA+/Ot73GYP5/pjLZr4hps8Yu0rzAfBgNV
        HSMEGDAWgBRA+/Ot73GYP5/pjLZr4hps8Yu0rzAPBgNVHRMBAf8EBTADAQH/MA0G
        CSqGSIb3DQEBCwUAA4IBAQAWhqsUG9xr7jJdqpCrofy5+5PjXfdTkdu9QGhP50hm
        p2fr/2MwFIolVZrQL0RJHCy8UUfQl0kcA5XJT7g3LLjqVpmu3/MThajlcm4Y8JzN
        XGzlDO0eES6sC3AZyeQ78uKCp5z6q1BIDi5/vnYPjHu3L/m5EggYe7K1EelanN1O
        +TTJzN1OaoWA1h8GHAJZQyvlqy4K5us2VuOGsKtFfVA29Q1MQ33tMf8L0aV8Ir9e
        3T5HDFrX5Csba5T4qBupqH8yfxkVaDt4SANTyJOk+2/8OutlB1k6GppAfpJtlFzd
        ogCRrlrywlqmAAO9kgsq4bIiLXVXe/vkulWljzQDr6cH
        -----END CERTIFICATE-----
        """

    static let privateKey = """
        -----BEGIN PRIVATE KEY-----
        MIIEvwIBADANBgkqhkiG9w0BAQEFAASCBKkwggSlAgEAAoIBAQC50Fj78WXjeeP6
        +YUkFBz4dZ9QCPProFiYP0wgNJ7Bn7zt85ndSPIfUVdFJoF0UVger4UVim9bfYtw
        /OgxZGPS/+Lf4yq1f7lvVhBOkLDfnn5xXCD7exlVFFjO8vpsqeUiDs2PK6UIi68u
        ED2/QYfi8mtKvmUphd7NXmvgRsOZr/QqlPrU4vA2AJJ4imUU0JaNYWF67ds3aE/i
        UxVfCXlaVFa/ALD5eZI2XNJq3mDJzf1jP03fmJQrxVo6JKBgGrN1o1sdH+sW+KJI
        CMevvqZFoYSiGbOhQKHwBTFdt91QGaTggg3RGQflDJf01pclvTgtZ5BvrILVOz+k
        rI9aQJIDAgMBAAECggEADc77bE5+S8wMbEn47uG/XQF7HOE4pN6OJuyxSHidaBAD
        lzIlHl1w5nEbiXjsLuVqpVRWETzWVX5V2GHORl/KmuzhAp71o6mBvmt7zvLdI6+G
        5jK6ar+CD7rXqYCqECnSBgvQLKvjWehTiBqB4QHKl0vi1RoJsSIqZajdXtXmn4TK
        lmsOmq9zwC+lw/jnBFRcZlo10CMwpwgkx51dRfDjvRM50+smRphn4OQh5y0p+0Kf
        F/WwqJv8TS7NnT9n4n0TY9COE1SJeU1CFN8MwOundUPFaL6xXQH8uhWrPt1jXDVf
        lb6IWQTuuSQHQgZYxgnZ0byc54T+db36CjtIA79xtQKBgQDjjFFD5niR4ZPC3m8m
        X5BN90blGeEpOO9GIK0xWn5lW94LXQXRt0oa5oA4Kv09Jt97KM2B+yssF3XulTCc
        v7ZrPRF8nXesW7cQdfVtpVuVt5mq1zzccSPjO/afc+a4YrzJSfWzmqeajZaW9H3Q
        /s9K+tO1dAzUX5wTgkoS9hfYFwKBgQDRDCQR9ru8IJj3gdQ7c+EJdPYum+DlCDPX
        yVijhaV8sRszpzpyrP7TPuTGxo3axDLu22UR4sj6E3wYJ7LVbxw6rQWZRJ9bOV67
        k1QysBZ1sk2eoaG6LEBgO4IM5k8ongmSPXPDe+7cxxUDiZGcbDTxKrD74s2o7DFM
        w+qeH/3c9QKBgQChz8qKSn463vrAfIT1+McZalqT2I9xTPd6GwqOKhfv5CBGXGQi
        +gBMmNVdG9Txg48weZeKcx4EQLqwao8jKIGESO0CfMf5XU8U+Y0J56j1EpbIEj9J
        U3t9v8plIXpUbIJrcZizm6rMERuhRUOjN1AZtbyPMHNfIo5OoTwjt7TFCQKBgQDI
        5pkXpn5/avh3DQ9w34mKtBwPaQD2Oy7Pl5IW/M6wiehxeKpEIRt42r20hoc3kky8
        np6AVOn+45DkCerlEbYYccWqqXdYjUcMj6dgWzgKfoP4Cq/JotNvaGEwknnKuC7M
        m0BQwx8okC8SyjflE1zB1NxoBmzNhchPVQ16T5aCrQKBgQCofzFdXLoQzzEDRFGl
        gar4+7jlC9It42WVRmRgNVwhVs0+la6NU9h45kv3Sr0yVHAa3fxPw/wbthJxAkjQ
        IApbljXVeYKNZ/w+WkKbuBIj8cfju4ry4cnCaxaOrjlWlRBUCfVswrW3smhAtW7o
        1vfcA0bGzMiP8Hg5Ll/dF05caQ==
        -----END PRIVATE KEY-----
        """
}
