//! What varies in the API in Node, `catalogue/node/api.js`.

use steady_model::rerun::Category::{Async, Crypt, Env, Rand, RunMsg, State, Time, Unord};

use super::label::Mover::{Call, Clock, Locale, Machine, Restart, State as Calls, Temp};
use super::label::{Operation, on, varies};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        name: "GET /date",
        outcomes: &[on(200).flaky(&[varies("body:/text", Time, Clock)]).stable(&["body:/service"])],
        mutants: &[],
    },
    Operation {
        name: "GET /instant",
        outcomes: &[on(200).flaky(&[varies("body:/at", Time, Clock)])],
        mutants: &["node-instant-number"],
    },
    Operation {
        name: "GET /day",
        outcomes: &[on(200).flaky(&[varies("body:/today", Time, Clock).or(Env)])],
        mutants: &[],
    },
    Operation {
        name: "GET /took",
        outcomes: &[on(200).flaky(&[varies("body:/took_ns", Time, Call).or(Async)]).stable(&["body:/sum"])],
        mutants: &["node-took-sum"],
    },
    Operation {
        name: "GET /number",
        outcomes: &[on(200).flaky(&[varies("body:/id", Rand, Call), varies("body:/href", Rand, Call)])],
        mutants: &["node-number-bare"],
    },
    Operation {
        name: "GET /score",
        outcomes: &[on(200).flaky(&[varies("body:/score", Rand, Call)]).stable(&["body:/scale"])],
        mutants: &["node-score-range"],
    },
    Operation {
        name: "GET /key",
        outcomes: &[on(200).flaky(&[varies("body:/key", Crypt, Call).or(Rand)]).stable(&["body:/algorithm"])],
        mutants: &[],
    },
    Operation {
        name: "GET /shelves",
        outcomes: &[on(200).flaky(&[varies("body:/shelves", Unord, Call)]).stable(&["body:/aisle"])],
        mutants: &["node-shelf-missing"],
    },
    Operation {
        name: "GET /crash",
        outcomes: &[on(500)
            .flaky(&[varies("body:/stack/1", RunMsg, Machine)])
            .stable(&["body:/error", "body:/stack/0"])],
        mutants: &["node-crash-message"],
    },
    Operation {
        name: "GET /peer",
        outcomes: &[on(502).flaky(&[varies("body:/error", RunMsg, Restart).or(Env)]).stable(&["body:/code"])],
        mutants: &[],
    },
    Operation {
        name: "GET /temp",
        outcomes: &[on(200).flaky(&[varies("body:/folder", Env, Temp)]).stable(&["body:/writable"])],
        mutants: &[],
    },
    Operation {
        name: "GET /amount",
        outcomes: &[on(200).flaky(&[varies("body:/amount", Env, Locale)]).stable(&["body:/currency"])],
        mutants: &["node-amount"],
    },
    Operation {
        name: "GET /process",
        outcomes: &[on(200).flaky(&[varies("body:/pid", Env, Restart).or(RunMsg)]).stable(&["body:/role"])],
        mutants: &[],
    },
    Operation {
        name: "POST /orders",
        outcomes: &[
            on(201).flaky(&[varies("body:/id", State, Calls), varies("body:/createdAt", Time, Clock)]),
            on(400).stable(&["body:/error"]),
        ],
        mutants: &["node-order-without-item"],
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
            "body:/id",
            "body:/digest",
            "body:/shelves",
            "body:/example",
        ])],
        mutants: &["node-about-version"],
    },
];
