package io.restassured.http;

public abstract class Headers implements Iterable<Header> {}
