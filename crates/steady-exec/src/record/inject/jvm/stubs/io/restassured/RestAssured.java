package io.restassured;

import io.restassured.filter.Filter;
import java.util.List;

public abstract class RestAssured {
    public static native List<Filter> filters();

    public static native void filters(Filter filter, Filter... more);
}
