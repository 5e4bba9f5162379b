#pragma once

#include <curl/curl.h>
#include <openssl/crypto.h>

/* curl_easy_setopt and curl_easy_getinfo are variadic, which Swift does not import: one typed function for each kind
   of value. */

typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

/* libcurl copies the text. A null text puts the option back to nothing. */
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *text) {
    return curl_easy_setopt(easy, option, text);
}

/* libcurl keeps the pointer: the list must live for as long as the transfer. */
static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *headers) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

/* libcurl copies the bytes, so the size has to be known to it first. */
static inline CURLcode ccurl_set_body(CURL *easy, const unsigned char *bytes, size_t count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

static inline CURLcode ccurl_set_body_receiver(CURL *easy, ccurl_receiver receiver, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receiver);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

static inline CURLcode ccurl_set_header_receiver(CURL *easy, ccurl_receiver receiver, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, receiver);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

/* The caller frees the list with curl_slist_free_all. */
static inline CURLcode ccurl_get_list(CURL *easy, CURLINFO info, struct curl_slist **list) {
    return curl_easy_getinfo(easy, info, list);
}

/* The lines about the certificate that a server showed, with CURLOPT_CERTINFO; they stay libcurl's. Null without one. */
static inline struct curl_slist *ccurl_certificate_lines(CURL *easy) {
    struct curl_certinfo *chain = NULL;
    CURLcode code = curl_easy_getinfo(easy, CURLINFO_CERTINFO, &chain);
    return code == CURLE_OK && chain != NULL && chain->num_of_certs > 0 ? chain->certinfo[0] : NULL;
}

static inline CURLMcode ccurl_set_multi_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/* The finished transfer and its result out of a CURLMsg, whose union Swift would have to read blindly. Null when there
   is none. */
static inline CURL *ccurl_next_finished(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}
