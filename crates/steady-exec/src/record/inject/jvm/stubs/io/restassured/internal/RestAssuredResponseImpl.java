package io.restassured.internal;

import io.restassured.response.Response;

public abstract class RestAssuredResponseImpl implements Response {
    public abstract boolean getHasExpectations();
}
