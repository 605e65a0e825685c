package io.restassured.filter;

import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;

public interface Filter {
    Response filter(
            FilterableRequestSpecification request, FilterableResponseSpecification expected, FilterContext context);
}
