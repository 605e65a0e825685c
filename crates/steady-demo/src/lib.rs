//! Sample services that steady's demo and tests run against.
