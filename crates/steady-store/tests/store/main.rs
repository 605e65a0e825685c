//! The store on both databases, each the real thing.

#![allow(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

mod backend;
mod checks;
mod concurrency;
mod files;
mod migrations;
mod sample;
mod servers;

/// Makes a test of each check for both databases.
macro_rules! on_both {
    ($($area:ident: $($check:ident),+;)+) => {
        mod sqlite {
            $($(#[test] fn $check() { crate::$area::$check(&crate::backend::Backend::sqlite()); })+)+
        }
        mod postgres {
            $($(#[test] fn $check() { crate::$area::$check(&crate::backend::Backend::postgres()); })+)+
        }
    };
}

on_both! {
    checks:
        what_is_recorded_comes_back_as_it_was,
        text_of_any_kind_is_stored,
        a_run_recorded_twice_counts_once,
        an_unknown_session_is_an_error_and_changes_nothing,
        history_counts_by_hour_day_and_week,
        history_is_bounded_by_time,
        history_finds_tests_by_pattern_the_worst_first,
        the_last_failure_says_when_where_and_why,
        a_flip_is_a_pass_and_a_failure_on_the_same_clean_commit,
        projects_do_not_mix,
        durations_are_the_mean_of_passes,
        a_summary_counts_tests_and_results,
        old_runs_go_and_their_counts_stay,
        old_counts_go_with_their_tests,
        a_store_that_is_too_large_loses_its_oldest_runs,
        the_cache_keeps_what_was_used_last,
        what_git_told_is_kept_for_ninety_days_after_its_last_use,
        a_store_can_be_used_where_futures_run;
    concurrency:
        processes_may_write_at_the_same_time,
        many_may_open_a_new_store_at_once,
        what_a_killed_process_had_stored_is_there,
        pruning_and_writing_go_on_together;
    migrations:
        a_store_of_schema_1_is_brought_up_to_date,
        a_store_from_the_future_is_refused_and_left_alone;
}
