package io.restassured.specification;

public interface FilterableRequestSpecification {
    String getMethod();

    String getURI();
}
