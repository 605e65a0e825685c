package io.restassured.response;

import io.restassured.http.Headers;

public interface Response {
    int getStatusCode();

    Headers getHeaders();

    byte[] asByteArray();
}
