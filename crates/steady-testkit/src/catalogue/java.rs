//! What varies in the API in Java, `catalogue/java`.

use steady_model::rerun::Category::{Env, Rand, RunMsg, State, Time, Unord};

use super::label::Mover::{Call, Clock, Locale, Machine, State as Calls, Temp};
use super::label::{Operation, on, varies};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        name: "GET /roles",
        outcomes: &[on(200).flaky(&[varies("body:/roles", Unord, Call)]).stable(&["body:/realm"])],
        mutants: &["java-role-missing"],
    },
    Operation {
        name: "GET /roles/check",
        outcomes: &[on(422).flaky(&[varies("body:/message", Unord, Call)]).stable(&["body:/field"])],
        mutants: &[],
    },
    Operation {
        name: "POST /customers",
        outcomes: &[
            on(201).stable(&["body:/created"]),
            on(400).flaky(&[varies("body:/message", RunMsg, Call)]).stable(&["body:/status"]),
        ],
        mutants: &["java-customer-message"],
    },
    Operation {
        name: "GET /cart",
        outcomes: &[on(500).flaky(&[varies("body:/error", RunMsg, Call)]).stable(&["body:/path"])],
        mutants: &["java-other-class"],
    },
    Operation {
        name: "GET /identity",
        outcomes: &[on(200).flaky(&[varies("body:/key", RunMsg, Call).or(Rand)]).stable(&["body:/kind"])],
        mutants: &[],
    },
    Operation {
        name: "GET /thread",
        outcomes: &[on(503).flaky(&[varies("body:/error", RunMsg, Call)]).stable(&["body:/retry"])],
        mutants: &[],
    },
    Operation {
        name: "GET /instant",
        outcomes: &[on(200).flaky(&[varies("body:/at", Time, Clock)]).stable(&["body:/service"])],
        mutants: &["java-instant-number"],
    },
    Operation {
        name: "GET /zoned",
        outcomes: &[on(200).flaky(&[varies("body:/at", Time, Clock)])],
        mutants: &[],
    },
    Operation {
        name: "GET /day",
        outcomes: &[on(200).flaky(&[varies("body:/today", Time, Clock).or(Env)])],
        mutants: &[],
    },
    Operation {
        name: "GET /number",
        outcomes: &[on(200).flaky(&[varies("body:/id", Rand, Call)]).stable(&["body:/kind"])],
        mutants: &["java-number-prefix"],
    },
    Operation {
        name: "GET /message",
        outcomes: &[on(422).flaky(&[varies("body:/message", Env, Locale)]).stable(&["body:/code"])],
        mutants: &["java-message-pattern"],
    },
    Operation {
        name: "GET /amount",
        outcomes: &[on(200).flaky(&[varies("body:/amount", Env, Locale)]).stable(&["body:/currency"])],
        mutants: &["java-amount"],
    },
    Operation {
        name: "GET /temp",
        outcomes: &[on(200).flaky(&[varies("body:/folder", Env, Temp)])],
        mutants: &[],
    },
    Operation {
        name: "GET /classpath",
        outcomes: &[on(200).flaky(&[varies("body:/path", Env, Machine)]).stable(&["body:/main"])],
        mutants: &[],
    },
    Operation {
        name: "POST /orders",
        outcomes: &[on(201).flaky(&[varies("body:/id", State, Calls)]), on(400).stable(&["body:/error"])],
        mutants: &["java-order-status"],
    },
    Operation {
        name: "GET /orders",
        outcomes: &[on(200).flaky(&[varies("body:/count", State, Calls)])],
        mutants: &[],
    },
    Operation {
        name: "GET /about",
        outcomes: &[on(200).stable(&[
            "body:/version",
            "body:/released",
            "body:/tenant",
            "body:/example",
            "body:/roles",
            "body:/account",
        ])],
        mutants: &["java-about-version"],
    },
];
