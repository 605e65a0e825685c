package io.restassured.builder;

import io.restassured.response.Response;

public class ResponseBuilder {
    public native ResponseBuilder clone(Response response);

    public native ResponseBuilder setBody(byte[] body);

    public native Response build();
}
