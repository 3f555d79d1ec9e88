//! The contract of the stores: each function of a module here tests one behavior, on SQLite and on PostgreSQL.

mod accounts;
mod actions;
mod artifacts;
mod backend;
mod briefs;
mod cancel;
mod caps;
mod comments;
mod headers;
mod idempotent_calls;
mod isolation;
mod jobs;
mod keys;
mod links;
mod members;
mod one_time_links;
mod orgs;
mod overview;
mod own_accounts;
mod pages;
mod queue;
mod queue_ends;
mod queue_fairness;
mod queue_leases;
mod reconcile;
mod rendering;
mod reports;
mod retention_store;
mod runs;
mod schedules;
mod second_factors;
mod signing_keys;
mod sites;
mod sites_written;
mod storage_quota;
mod suspects;
mod texts;
mod twins;
mod waivers;
mod webhooks;
mod world;

/// Creates a test of each behavior for each store. The compiler reports a behavior that is not listed as dead code.
macro_rules! on_every_store {
    ($($port:ident: $($behaviour:ident,)+;)+) => {
        on_every_store!(@on sqlite, backend::on_sqlite, $($($port $behaviour)+)+);
        on_every_store!(@on postgresql, backend::on_postgresql, $($($port $behaviour)+)+);
    };
    (@on $store:ident, $run:path, $($port:ident $behaviour:ident)+) => {
        mod $store {
            use crate::contract::backend;
            $(
                #[test]
                fn $behaviour() {
                    $run(crate::contract::$port::$behaviour);
                }
            )+
        }
    };
}

on_every_store! {
    artifacts:
        pictures_are_read_once_they_are_kept,
        pictures_belong_to_their_organization,
        a_lost_claim_records_no_pictures,
        pictures_are_due_when_their_time_is_over,
        an_occurrence_loses_its_picture_with_the_record,
        the_pictures_of_a_removed_run_are_due_at_once,;
    rendering:
        rendered_pages_are_counted_without_a_limit_as_well,
        what_a_run_did_not_render_is_given_back_when_it_ends,
        an_attempt_that_is_repeated_counts_once,
        a_run_that_ends_otherwise_counts_what_it_rendered,
        runs_at_once_never_reserve_more_than_the_month_has,
        a_plan_that_is_not_configured_reserves_nothing,;
    orgs:
        bootstrap_makes_the_first_organization_and_its_key,
        bootstrap_does_nothing_where_there_is_an_organization,
        only_one_concurrent_bootstrap_succeeds,
        organizations_come_oldest_first,
        organizations_come_page_by_page,
        processes_are_listed_with_what_they_work_on,
        an_organization_is_created_once,
        an_unknown_organization_is_none,
        a_plan_is_changed,
        members_come_oldest_first,
        a_member_is_once_in_an_organization,
        a_member_is_removed,
        the_audit_log_has_a_line_for_each_change,
        an_unchanged_update_is_not_logged,
        the_audit_log_is_read_newest_first_page_by_page,;
    members:
        the_last_administrator_with_an_account_stays,
        of_administrators_that_leave_at_once_one_stays,
        a_changed_member_is_signed_out,
        a_member_of_another_organization_is_not_changed,
        other_sessions_of_an_account_end,;
    keys:
        a_key_is_found_by_its_hash,
        keys_come_oldest_first,
        a_key_needs_its_organization,
        a_key_hash_belongs_to_one_organization,
        a_key_is_revoked_once,
        an_expired_key_is_found,
        a_key_identifies_its_organization,
        a_use_is_noted_once_a_minute,;
    accounts:
        an_account_is_found_by_its_address,
        memberships_come_oldest_first,
        so_many_memberships_are_listed_at_most,
        a_member_tells_its_account,
        a_session_is_found_by_its_hash,
        a_session_ends_with_the_membership,
        an_account_goes_with_its_last_membership,
        of_last_removals_at_once_one_deletes_the_account,
        a_sign_in_takes_the_place_of_a_session,
        an_account_has_so_many_sessions_at_most,
        a_sign_in_deletes_a_hundred_expired_sessions,
        a_session_gets_another_token,
        of_rotations_at_once_one_wins,
        a_session_never_works_where_the_account_is_no_member,
        a_use_of_a_session_is_noted,
        sessions_come_last_used_first,
        a_session_is_ended_by_its_account_alone,
        a_new_password_ends_the_other_sessions,
        another_role_ends_the_sessions_in_the_organization,;
    own_accounts:
        a_name_changes_in_all_organizations,
        an_address_changes_in_all_organizations,
        another_address_ends_resets_and_the_other_sessions,
        an_address_in_use_is_refused,
        an_address_of_another_organization_alone_is_no_obstacle,
        of_accounts_that_want_an_address_at_once_one_gets_it,
        an_address_and_an_invitation_at_once_agree,;
    second_factors:
        a_second_factor_is_on_once_a_code_was_entered,
        an_account_that_does_not_exist_has_no_second_factor,
        a_password_leaves_a_sign_in_that_waits_for_the_code,
        a_sign_in_that_waited_too_long_is_gone,
        of_sign_ins_with_one_code_at_once_one_succeeds,
        of_sign_ins_with_one_recovery_code_at_once_one_succeeds,
        a_sign_in_is_completed_once_whatever_the_codes,
        no_session_of_a_password_alone_outlives_turning_it_on,
        sign_ins_that_wait_are_bounded,
        a_sign_in_deletes_a_hundred_expired_ones_that_wait,
        a_sign_in_that_waits_takes_the_place_of_a_session,
        what_ends_sessions_ends_the_sign_ins_that_wait,
        a_code_changes_a_second_factor_once,
        a_step_that_a_clock_was_ahead_by_does_not_count,
        an_organization_requires_a_second_factor,;
    one_time_links:
        a_link_comes_back_with_what_it_opens,
        a_link_needs_its_organization_and_its_member,
        a_link_replaces_the_one_before,
        a_link_deletes_a_hundred_that_expired,
        a_setup_link_creates_an_administrator,
        a_setup_link_makes_a_known_member_an_administrator,
        a_setup_link_takes_a_known_account,
        a_setup_link_that_is_refused_can_still_be_used,
        an_invitation_gives_its_member_an_account,
        an_invitation_of_a_known_account_ends_its_resets,
        an_invitation_that_is_refused_can_still_be_used,
        a_password_reset_ends_all_sessions,
        a_password_reset_opens_its_account_alone,
        setting_a_password_ends_resets,
        a_link_is_used_once,
        a_link_serves_no_other_purpose,
        a_link_opens_its_organization_alone,
        a_link_ends_at_its_time,
        a_link_goes_with_its_member,
        of_takers_at_once_one_wins,
        of_removing_and_taking_up_at_once_no_account_is_left,;
    runs:
        a_run_begins_queued,
        a_run_comes_back_with_its_options,
        a_site_is_created_once_for_its_host,
        of_first_runs_at_once_one_creates_the_site,
        a_run_is_attached_to_the_site_it_names,
        an_unknown_site_is_not_found,
        a_run_stays_on_its_sites_host,
        a_run_needs_its_organization,
        a_run_is_started_once,
        an_unknown_run_is_none,
        runs_come_newest_first_page_by_page,
        runs_are_listed_by_site_and_state,
        pagination_is_stable_when_runs_are_added,
        a_list_needs_its_site,;
    caps:
        the_cap_on_sites_applies_only_to_new_sites,
        the_cap_on_runs_applies_to_a_calendar_month,
        each_organization_has_its_own_usage,
        one_of_fifty_runs_at_once_passes_the_cap_on_runs,
        one_of_fifty_runs_at_once_passes_the_cap_on_sites,
        usage_is_that_of_the_month,
        an_internal_failure_is_taken_out_of_the_month_it_began_in,
        other_failures_count,;
    sites:
        sites_come_oldest_first,
        sites_are_found_by_name_and_host,
        a_site_shows_its_latest_run_and_its_latest_scores,
        the_latest_scores_are_those_of_the_run_that_completed_last,
        a_history_is_newest_first_and_bounded,
        a_history_has_runs_in_every_state,
        a_history_goes_on_behind_its_cursor,
        an_unknown_site_has_no_history,
        a_site_has_no_schedule_at_first,;
    overview:
        an_overview_goes_on_behind_its_cursor,
        a_card_shows_the_last_two_reports_and_what_is_open,
        totals_count_sites_by_their_last_score,
        an_overview_shows_nothing_of_others,;
    sites_written:
        a_site_is_created_without_a_run,
        one_site_is_shown_as_in_the_list,
        a_site_that_is_there_is_named_before_the_cap,
        a_site_needs_its_organization,
        one_of_twenty_sites_at_once_passes_the_cap,
        of_sites_of_a_host_at_once_one_is_created,
        a_site_is_renamed,
        an_unchanged_site_update_is_not_logged,
        a_sites_defaults_come_back_whole,
        a_site_that_is_not_there_has_no_defaults,
        renaming_keeps_the_defaults,
        a_site_is_removed_with_all_its_data,
        a_host_can_be_a_site_again,
        a_worker_loses_the_run_of_a_site_that_is_removed,
        of_removing_and_completing_at_once_nothing_is_left,
        of_removing_and_starting_at_once_no_run_is_without_its_site,;
    reports:
        a_report_comes_back_as_it_was_completed,
        a_report_of_a_clean_site_comes_back,
        issues_keep_their_ids_in_both_variants,
        an_issue_carries_its_first_causes_and_their_first_occurrences,
        a_whole_report_has_all_that_is_kept,
        a_whole_report_stops_at_its_bound,
        causes_come_page_by_page,
        occurrences_of_a_cause_are_found_by_its_fingerprint,
        the_first_report_of_a_site_has_no_states,
        states_compare_with_the_previous_report,
        changes_are_those_since_the_previous_report,
        pages_of_two_reports_differ_by_their_addresses,
        a_report_can_be_read_without_its_evidence,
        a_cause_possibly_missing_from_the_previous_report_has_no_state,
        causes_go_with_their_run,
        occurrences_come_in_any_order_of_batches,
        an_unknown_report_is_none,
        occurrences_of_an_earlier_epoch_are_unseen,
        a_run_has_a_report_exactly_when_it_is_completed,
        occurrences_come_page_by_page,
        occurrences_are_those_of_an_issue_of_the_variant,
        an_unknown_issue_has_no_causes_or_occurrences,;
    links:
        links_come_back_by_kind,
        redirect_chains_come_back_whole,
        folders_come_back_in_their_order,
        links_of_an_earlier_epoch_are_unseen,
        links_are_counted_and_removed_with_their_run,;
    pages:
        pages_come_back_in_the_order_of_the_crawl,
        the_largest_numbers_come_back,
        a_report_without_pages_has_an_empty_list,
        pages_of_an_earlier_epoch_are_unseen,
        pages_come_in_every_order,
        pages_are_filtered,
        pages_of_an_issue_are_those_with_its_occurrences,
        a_page_comes_with_a_bounded_number_of_findings,
        a_page_comes_with_what_was_found_on_it,
        pages_are_written_under_a_claim_alone,
        a_report_identifies_its_organization,;
    headers:
        values_are_in_claims_and_nowhere_else,
        values_last_as_long_as_the_run,
        names_stay_when_a_run_has_ended,
        options_of_every_kind_come_back,;
    signing_keys:
        the_first_signing_key_stays_the_only_one,
        of_first_signing_keys_at_once_one_is_kept,;
    queue:
        an_empty_queue_has_nothing,
        a_claim_says_what_is_to_be_done,
        a_run_is_claimed_once,
        the_run_that_has_waited_longest_comes_first,
        of_runs_queued_at_once_the_first_id_comes_first,
        parallel_claims_never_give_the_same_run_twice,
        progress_is_stored,
        the_first_claim_sets_when_a_run_started,
        a_ready_store_says_so,;
    storage_quota:
        a_completed_run_counts_what_it_stores,
        the_oldest_runs_go_until_the_rest_fits,
        the_latest_report_of_a_site_is_never_removed,
        other_organizations_lose_nothing,
        runs_removed_by_retention_free_their_storage,;
    suspects:
        the_runs_of_a_process_that_died_are_tried_again_one_at_a_time,
        a_run_whose_lease_ran_out_is_tried_again_alone,
        other_processes_go_on_while_a_suspect_runs,
        one_process_drains_for_a_suspect,
        a_process_without_runs_takes_a_suspect_at_once,
        a_dead_process_costs_no_attempt,
        a_run_that_is_interrupted_for_an_hour_is_given_up,
        suspects_interrupted_least_come_first,
        a_crash_is_charged_to_the_run,
        a_run_whose_process_was_killed_is_tried_again_alone,
        an_isolated_run_has_its_host_to_itself,
        a_suspect_waits_while_its_organization_has_as_many_runs_as_it_may,;
    queue_leases:
        a_lease_that_has_run_out_is_retaken,
        a_heartbeat_renews_the_lease,
        a_lease_is_valid_until_its_last_moment,
        a_late_heartbeat_holds_while_nobody_took_over,
        a_stale_epoch_changes_nothing,
        an_ended_run_takes_no_writes,
        a_claim_on_an_unknown_run_is_lost,
        a_run_handed_back_is_claimed_at_once,
        handing_back_costs_no_attempt,
        a_run_handed_back_keeps_its_place,
        a_claim_that_was_given_back_is_lost,
        releasing_gives_back_the_runs_of_all_workers,
        attempts_are_counted_and_end,;
    queue_fairness:
        claims_are_fair_across_organizations,
        a_run_of_another_organization_waits_for_one_slot,
        an_organization_has_no_more_runs_under_way_than_is_allowed,
        a_host_is_audited_by_one_process_at_a_time,
        a_host_is_free_when_its_lease_has_run_out,
        only_one_concurrent_process_gets_a_host,
        a_store_has_work_where_a_run_can_be_claimed,
        a_process_leaves_runs_of_other_modes_to_others,;
    queue_ends:
        completing_is_seen_everywhere,
        completing_twice_is_lost,
        a_report_id_is_used_once,
        failing_says_why,
        failing_removes_the_occurrences,
        every_failure_comes_back,
        a_run_past_its_deadline_is_reaped,
        a_deadline_is_that_of_the_attempt,
        a_run_past_its_deadline_without_a_lease_is_claimed_again,
        a_run_is_given_up_after_three_internal_failures,
        reaping_again_changes_nothing,
        reaping_leaves_the_others_alone,
        concurrent_reapers_end_each_run_once,;
    cancel:
        a_claim_is_held_until_it_is_lost,
        a_queued_run_is_cancelled,
        a_running_run_is_cancelled_and_its_worker_loses_it,
        a_run_without_a_lease_is_cancelled,
        a_run_that_ended_is_not_cancelled,
        cancelling_twice_changes_nothing,
        a_foreign_or_unknown_run_is_not_cancelled,
        the_others_go_on,
        only_one_concurrent_cancellation_succeeds,
        of_cancelling_and_completing_at_once_one_wins,
        of_cancelling_and_claiming_at_once_the_run_ends_cancelled,;
    actions:
        an_item_of_a_person_comes_back,
        an_item_is_made_once,
        a_made_item_needs_its_site_and_its_assignee,
        a_change_is_made_whole_and_logged_without_its_texts,
        a_change_that_changes_nothing_is_not_logged,
        a_change_needs_its_item_and_then_its_member,
        of_changes_at_once_none_is_lost,
        an_item_keeps_no_assignee_who_is_gone,
        of_assigning_and_removing_a_member_at_once_neither_fails,
        items_come_by_priority_newest_first_and_id_page_by_page,
        pagination_is_stable_when_items_change,
        filters_of_items_combine,
        a_list_of_items_needs_its_site_and_no_member,
        the_open_items_of_a_site_are_counted,
        a_dossier_has_how_the_audit_looked_at_pages,
        a_dossier_has_the_issue_of_its_check,;
    comments:
        comments_come_oldest_first_page_by_page,
        comments_at_once_are_all_counted,
        a_comment_is_logged_without_its_text,
        an_unknown_item_has_no_comments,;
    reconcile:
        an_audit_opens_one_item_for_each_check,
        waivers_dismiss_items_and_reopen_them_when_they_end,
        what_an_audit_does_to_items_is_logged,
        the_issue_of_a_check_carries_its_item,
        an_item_tells_its_latest_issue_and_the_audits_of_its_site,
        a_note_makes_no_item,
        an_audit_keeps_evidence_fresh_and_what_a_person_said,
        a_fixed_issue_is_verified_by_the_run_that_looked,
        an_item_that_a_person_closed_is_verified,
        a_recurring_issue_is_a_regression,
        dismissed_stays_dismissed,
        unvisited_pages_verify_nothing,
        more_pages_than_are_kept_need_a_complete_crawl,
        the_older_variant_hides_the_items_of_ai_readiness,
        a_stale_epoch_changes_no_item,
        a_run_that_fails_changes_no_item,
        sites_have_items_of_their_own,
        of_runs_that_complete_at_once_one_opens_the_items,
        of_dismissing_and_completing_at_once_the_person_has_the_last_word,;
    briefs:
        an_item_has_no_brief_at_first,
        asking_twice_queues_one_brief,
        a_brief_request_is_logged_without_its_instructions,
        a_brief_is_written,
        a_brief_that_was_asked_for_again_is_lost_to_an_earlier_claim_of_the_same_number,
        a_brief_that_cannot_be_written_says_why,
        a_brief_is_kept_until_a_newer_one_is_written,
        briefs_are_claimed_in_the_order_in_which_they_were_asked_for,
        of_claims_at_once_each_gets_another_brief,
        a_brief_whose_lease_has_run_out_is_claimed_again,
        a_new_request_for_a_brief_ends_the_present_claim,
        a_lost_claim_changes_no_brief,
        a_brief_needs_its_item,;
    idempotent_calls:
        a_repeated_request_replays_its_response,
        a_comment_sent_again_is_added_once,
        a_site_and_an_item_sent_again_are_created_once,
        a_repeated_brief_request_replays_its_response,
        a_key_used_for_another_call_is_refused,
        keys_belong_to_an_organization_and_an_operation,
        an_idempotent_response_expires_after_a_day,
        a_rejected_request_is_evaluated_again,
        only_one_concurrent_request_with_a_key_is_executed,
        all_concurrent_requests_with_a_key_at_the_cap_get_the_response,
        forgotten_answers_make_room,
        a_cancellation_sent_again_replays_its_response,
        a_webhook_and_a_test_sent_again_are_stored_once,
        responses_that_change_nothing_are_kept_up_to_a_limit,;
    jobs:
        an_organization_is_swept_at_once_and_has_one_job,
        of_claims_at_once_each_gets_another_job,
        a_claim_ends_with_its_lease_and_counts,
        a_renewed_lease_goes_on,
        a_failed_job_backs_off,
        a_job_that_was_postponed_is_due_then,
        a_claim_that_is_lost_changes_nothing,
        a_job_is_expedited_even_while_leased,
        times_too_far_ahead_are_repaired,
        a_job_is_removed_with_its_subject,
        a_schedule_whose_job_is_due_too_late_is_repaired,
        deliveries_have_jobs_as_long_as_they_wait,;
    retention_store:
        a_choice_comes_back_and_is_logged,
        a_choice_needs_its_organization,
        old_runs_go_with_all_that_is_about_them,
        of_each_site_the_latest_run_and_the_latest_report_are_kept,
        the_latest_report_is_that_which_was_made_last,
        runs_that_have_not_ended_and_runs_of_others_stay,
        removing_goes_in_steps,
        no_run_is_seen_half_removed,
        items_stay_when_their_report_goes,
        old_lines_of_the_audit_log_go_and_the_others_stay,
        forgotten_answers_are_removed,
        the_depth_of_the_queues_is_reported,;
    texts:
        any_text_comes_back,
        long_texts_come_back,
        nul_fails_nothing,;
    schedules:
        a_schedule_comes_back_as_it_was_set,
        setting_the_same_schedule_again_is_not_logged,
        a_schedule_is_repaired_unless_it_was_already_changed,
        a_schedule_needs_its_site,
        jobs_are_claimed_longest_due_first,
        a_due_schedule_starts_its_run_once,
        only_one_concurrent_process_starts_the_run,
        a_schedule_that_was_changed_meanwhile_is_not_due,
        a_skipped_run_is_reported_and_the_schedule_continues,
        repeated_skips_are_reported_once,;
    waivers:
        a_waiver_comes_back_whole,
        a_waiver_is_removed_once,
        a_waiver_is_ended_once,
        a_site_has_so_many_waivers_at_most,
        a_waiver_needs_its_site,
        waivers_go_with_their_site,
        a_waiver_is_created_once_for_a_key,
        a_report_keeps_its_waivers,;
    webhooks:
        a_webhook_comes_back_without_its_secret,
        an_organization_has_so_many_webhooks_at_most,
        a_webhook_is_changed_and_removed,
        a_foreign_webhook_is_not_found,
        a_completed_run_publishes_one_event,
        a_failed_run_publishes_its_error,
        item_changes_by_people_and_audits_publish_events,
        a_test_event_is_sent_to_one_webhook_regardless_of_its_subscriptions,
        deliveries_are_claimed_the_longest_due_first_and_once,
        of_claims_at_once_each_gets_another_delivery,
        an_attempt_that_fails_is_made_again_at_its_time,
        a_delivery_is_given_up_after_its_last_attempt,
        delivery_claims_are_fair_across_organizations,
        a_handed_back_delivery_waits_and_costs_no_attempt,
        far_future_due_times_of_a_wrong_clock_are_repaired,
        a_forbidden_delivery_is_cancelled_without_an_attempt,
        deliveries_are_listed_by_what_they_are_of,
        a_receiver_that_is_gone_disables_its_webhook,
        disabling_a_webhook_cancels_its_pending_and_active_deliveries,
        an_unattempted_delivery_is_handed_back,
        deliveries_come_newest_first_page_by_page,
        old_events_are_removed_unless_a_delivery_is_pending,;
    isolation:
        looking_up_anothers_finds_nothing,
        changing_anothers_changes_nothing,
        a_run_is_not_attached_to_anothers_site,
        a_claim_of_another_worker_is_lost,
        a_host_is_a_site_of_each_organization,;
}
