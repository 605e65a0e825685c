package shop;

/** A status and what is written as JSON. */
record Answer(int status, Object body) {}
