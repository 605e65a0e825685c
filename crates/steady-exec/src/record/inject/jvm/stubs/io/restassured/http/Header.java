package io.restassured.http;

public abstract class Header {
    public abstract String getName();

    public abstract String getValue();
}
