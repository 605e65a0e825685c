//! What varies in the API in Python, `catalogue/python/api.py`.

use steady_model::rerun::Category::{Env, Rand, RunMsg, State, Time, Unord};

use super::label::Mover::{Call, Clock, HashSeed, Locale, Restart, State as Calls, Temp};
use super::label::{Operation, on, varies};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        name: "GET /colours/check",
        outcomes: &[on(422).flaky(&[varies("body:/message", Unord, HashSeed)]).stable(&["body:/field"])],
        mutants: &["python-colour-missing"],
    },
    Operation {
        name: "GET /roles",
        outcomes: &[on(200).flaky(&[varies("body:/roles", Unord, HashSeed)]).stable(&["body:/count"])],
        mutants: &["python-role-renamed"],
    },
    Operation {
        name: "GET /cart",
        outcomes: &[on(500).flaky(&[varies("body:/error", RunMsg, Restart)]).stable(&["body:/type"])],
        mutants: &["python-other-class"],
    },
    Operation {
        name: "GET /handle",
        outcomes: &[on(503).flaky(&[varies("body:/error", RunMsg, Restart)]).stable(&["body:/retry"])],
        mutants: &[],
    },
    Operation {
        name: "GET /temp",
        outcomes: &[on(200).flaky(&[varies("body:/folder", Env, Temp)]).stable(&["body:/writable"])],
        mutants: &["python-temp-name"],
    },
    Operation {
        name: "POST /customers",
        outcomes: &[
            on(201).stable(&["body:/created"]),
            on(400).flaky(&[varies("body:/message", Env, Locale)]).stable(&["body:/field"]),
        ],
        mutants: &["python-customer-field"],
    },
    Operation {
        name: "GET /now",
        outcomes: &[on(200).flaky(&[varies("body:/now", Time, Clock)]).stable(&["body:/service"])],
        mutants: &["python-now-format"],
    },
    Operation {
        name: "GET /today",
        outcomes: &[on(200).flaky(&[varies("body:/printed", Time, Clock)]).stable(&["body:/open"])],
        mutants: &[],
    },
    Operation {
        name: "GET /order-number",
        outcomes: &[on(200).flaky(&[varies("body:/number", Rand, Call)]).stable(&["body:/kind"])],
        mutants: &["python-uuid-integer"],
    },
    Operation {
        name: "GET /discount",
        outcomes: &[on(200).flaky(&[varies("body:/percent", Rand, Call)])],
        mutants: &["python-discount-range"],
    },
    Operation {
        name: "POST /orders",
        outcomes: &[on(201).flaky(&[varies("body:/id", State, Calls)]), on(400).stable(&["body:/error"])],
        mutants: &["python-order-status"],
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
            "body:/colours",
            "body:/docs",
        ])],
        mutants: &["python-about-version"],
    },
];
