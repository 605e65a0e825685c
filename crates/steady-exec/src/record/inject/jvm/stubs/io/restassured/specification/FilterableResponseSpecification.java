package io.restassured.specification;

public interface FilterableResponseSpecification {}
