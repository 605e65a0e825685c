//! Searches an API for behaviour: values, sequences, goals, faults.
