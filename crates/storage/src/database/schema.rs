//! The tables, with types that both databases share. The migrations create them.

diesel::table! {
    organizations (id) {
        id -> Text,
        name -> Text,
        plan -> Text,
        created_at -> Timestamp,
        requires_second_factor -> Bool,
    }
}

diesel::table! {
    members (id) {
        id -> Text,
        org_id -> Text,
        name -> Text,
        email -> Text,
        role -> Text,
        created_at -> Timestamp,
        account_id -> Nullable<Text>,
    }
}

diesel::table! {
    accounts (id) {
        id -> Text,
        email -> Text,
        name -> Text,
        password_hash -> Text,
        created_at -> Timestamp,
        password_changed_at -> Timestamp,
    }
}

diesel::table! {
    sessions (token_hash) {
        token_hash -> Text,
        id -> Text,
        account_id -> Text,
        org_id -> Text,
        created_at -> Timestamp,
        password_entered_at -> Timestamp,
        last_seen_at -> Timestamp,
        user_agent -> Text,
        address -> Text,
    }
}

diesel::table! {
    second_factors (account_id) {
        account_id -> Text,
        sealed_secret -> Text,
        last_step -> BigInt,
        created_at -> Timestamp,
        enabled_at -> Nullable<Timestamp>,
    }
}

diesel::table! {
    recovery_codes (account_id, code_hash) {
        account_id -> Text,
        code_hash -> Text,
    }
}

diesel::table! {
    pending_sign_ins (token_hash) {
        token_hash -> Text,
        account_id -> Text,
        org_id -> Text,
        created_at -> Timestamp,
    }
}

diesel::table! {
    one_time_links (token_hash) {
        token_hash -> Text,
        purpose -> Text,
        org_id -> Text,
        member_id -> Nullable<Text>,
        account_id -> Nullable<Text>,
        created_at -> Timestamp,
        expires_at -> Timestamp,
    }
}

diesel::table! {
    api_keys (id) {
        id -> Text,
        org_id -> Text,
        name -> Text,
        prefix -> Text,
        hash -> Text,
        role -> Text,
        created_at -> Timestamp,
        last_used_at -> Nullable<Timestamp>,
        expires_at -> Nullable<Timestamp>,
        revoked_at -> Nullable<Timestamp>,
    }
}

diesel::table! {
    sites (id) {
        id -> Text,
        org_id -> Text,
        host -> Text,
        url -> Text,
        name -> Text,
        created_at -> Timestamp,
        options -> Nullable<Text>,
        sealed_headers -> Nullable<Text>,
    }
}

diesel::table! {
    runs (id) {
        id -> Text,
        org_id -> Text,
        site_id -> Text,
        url -> Text,
        trigger_kind -> Text,
        options -> Text,
        status -> Text,
        phase -> Text,
        pages_discovered -> BigInt,
        pages_fetched -> BigInt,
        pages_audited -> BigInt,
        percent -> BigInt,
        created_at -> Timestamp,
        started_at -> Nullable<Timestamp>,
        finished_at -> Nullable<Timestamp>,
        error_code -> Nullable<Text>,
        error_message -> Nullable<Text>,
        sealed_headers -> Nullable<Text>,
        hidden -> Bool,
        stored_bytes -> BigInt,
        pages_rendered -> BigInt,
        pages_measured -> Nullable<BigInt>,
        seconds_left -> Nullable<BigInt>,
        reserved_pages -> Nullable<BigInt>,
    }
}

diesel::table! {
    jobs (id) {
        id -> Text,
        kind -> Text,
        subject_id -> Text,
        org_id -> Text,
        run_id -> Nullable<Text>,
        host -> Text,
        queued_at -> Timestamp,
        available_at -> Timestamp,
        attempts -> BigInt,
        epoch -> BigInt,
        lease_owner -> Nullable<Text>,
        lease_expires_at -> Nullable<Timestamp>,
        deadline_at -> Nullable<Timestamp>,
        lease_process -> Nullable<Text>,
        suspect -> Bool,
        crashes -> BigInt,
        interruptions -> BigInt,
        mode -> Text,
    }
}

diesel::table! {
    org_storage (org_id) {
        org_id -> Text,
        bytes -> BigInt,
    }
}

diesel::table! {
    counters (name) {
        name -> Text,
        value -> BigInt,
    }
}

diesel::table! {
    organization_claims (org_id) {
        org_id -> Text,
        last_claim -> BigInt,
    }
}

diesel::table! {
    causes (run_id, epoch, position) {
        run_id -> Text,
        epoch -> BigInt,
        position -> BigInt,
        issue_position -> BigInt,
        ordinal -> BigInt,
        fingerprint -> Text,
        cause -> Text,
        message -> Text,
        affected -> BigInt,
        affected_pages -> BigInt,
        score_impact -> Double,
        score_impact_legacy -> Nullable<Double>,
        occurrences_total -> BigInt,
        occurrences_stored -> BigInt,
        state -> Nullable<Text>,
        waived -> BigInt,
    }
}

diesel::table! {
    occurrences (run_id, epoch, cause_position, ordinal) {
        run_id -> Text,
        epoch -> BigInt,
        cause_position -> BigInt,
        ordinal -> BigInt,
        url -> Text,
        selector -> Nullable<Text>,
        snippet -> Nullable<Text>,
        line -> Nullable<BigInt>,
        message -> Text,
        waiver_id -> Nullable<Text>,
        artifact -> Nullable<BigInt>,
    }
}

diesel::table! {
    artifacts (run_id, epoch, number) {
        run_id -> Text,
        epoch -> BigInt,
        number -> BigInt,
        org_id -> Text,
        kind -> Text,
        url -> Text,
        width -> BigInt,
        height -> BigInt,
        sha256 -> Text,
        size_bytes -> BigInt,
        readable -> Bool,
        delete_at -> Timestamp,
    }
}

diesel::table! {
    pages (run_id, epoch, position) {
        run_id -> Text,
        epoch -> BigInt,
        position -> BigInt,
        url -> Text,
        status -> Nullable<BigInt>,
        depth -> Nullable<BigInt>,
        title -> Nullable<Text>,
        bytes -> Nullable<BigInt>,
        audited -> Bool,
        issues -> BigInt,
        issues_legacy -> BigInt,
        scores -> Nullable<Text>,
        description -> Nullable<Text>,
        h1 -> Nullable<Text>,
        canonical -> Nullable<Text>,
        indexable -> Nullable<Bool>,
        language -> Nullable<Text>,
        words -> Nullable<BigInt>,
        transfer_bytes -> Nullable<BigInt>,
        response_ms -> Nullable<BigInt>,
        links_in -> Nullable<BigInt>,
        links_out -> Nullable<BigInt>,
    }
}

diesel::table! {
    page_orders (run_id, epoch, sort, part) {
        run_id -> Text,
        epoch -> BigInt,
        sort -> Text,
        part -> BigInt,
        known -> BigInt,
        positions -> Text,
    }
}

diesel::table! {
    link_targets (run_id, epoch, position) {
        run_id -> Text,
        epoch -> BigInt,
        position -> BigInt,
        url -> Text,
        internal -> Bool,
        verdict -> Text,
        status -> Nullable<BigInt>,
        reason -> Nullable<Text>,
        redirects -> Bool,
        leads_to -> Nullable<Text>,
        linking_pages -> BigInt,
        first_pages -> Text,
    }
}

diesel::table! {
    folders (run_id, epoch, position) {
        run_id -> Text,
        epoch -> BigInt,
        position -> BigInt,
        url -> Text,
        level -> BigInt,
        pages -> BigInt,
        failed -> BigInt,
        bytes -> BigInt,
        issues -> BigInt,
        issues_legacy -> BigInt,
    }
}

diesel::table! {
    redirect_chains (run_id, epoch, position) {
        run_id -> Text,
        epoch -> BigInt,
        position -> BigInt,
        hops -> Text,
        is_loop -> Bool,
        linking_pages -> BigInt,
    }
}

diesel::table! {
    reports (id) {
        id -> Text,
        org_id -> Text,
        run_id -> Text,
        site_id -> Text,
        epoch -> BigInt,
        created_at -> Timestamp,
        requested_url -> Text,
        url -> Text,
        overall_score -> BigInt,
        overall_score_legacy -> BigInt,
        performance -> BigInt,
        accessibility -> BigInt,
        seo -> BigInt,
        security -> BigInt,
        content -> BigInt,
        ai_readiness -> BigInt,
        weights -> Text,
        weights_legacy -> Text,
        coverage -> Text,
        unjudged -> Text,
        summaries -> Text,
        summaries_legacy -> Text,
        scoring -> Text,
        engine_version -> Text,
        catalogue_version -> Text,
        scoring_version -> BigInt,
        changes -> Nullable<Text>,
        waivers -> Nullable<Text>,
        links -> Nullable<Text>,
    }
}

diesel::table! {
    issues (id) {
        id -> Text,
        org_id -> Text,
        report_id -> Text,
        position -> BigInt,
        check_id -> Text,
        dimension -> Text,
        severity -> Text,
        confidence -> Text,
        effort -> Text,
        title -> Text,
        description -> Text,
        why -> Text,
        recommendation -> Text,
        sources -> Text,
        affected -> BigInt,
        applicable -> BigInt,
        subject -> Text,
        affected_pages -> BigInt,
        score_impact -> Nullable<Double>,
        score_impact_legacy -> Nullable<Double>,
        occurrences_total -> BigInt,
        occurrences_stored -> BigInt,
        causes_total -> BigInt,
        causes_stored -> BigInt,
        state -> Nullable<Text>,
        waived -> BigInt,
        action_id -> Nullable<Text>,
    }
}

diesel::table! {
    waivers (id) {
        id -> Text,
        org_id -> Text,
        site_id -> Text,
        check_id -> Text,
        path -> Nullable<Text>,
        cause -> Nullable<Text>,
        reason -> Text,
        author_kind -> Text,
        author_id -> Nullable<Text>,
        author_name -> Text,
        created_at -> Timestamp,
        expires_at -> Nullable<Timestamp>,
    }
}

diesel::table! {
    schedules (site_id) {
        site_id -> Text,
        org_id -> Text,
        enabled -> Bool,
        frequency -> Nullable<Text>,
        cron -> Nullable<Text>,
        timezone -> Nullable<Text>,
        next_run_at -> Nullable<Timestamp>,
        last_run_at -> Nullable<Timestamp>,
        last_run_id -> Nullable<Text>,
        told_skip -> Nullable<Text>,
    }
}

diesel::table! {
    usage_counters (org_id, period) {
        org_id -> Text,
        period -> Text,
        runs -> BigInt,
        rendered_pages -> BigInt,
    }
}

diesel::table! {
    audit_log (seq) {
        seq -> BigInt,
        org_id -> Text,
        at -> Timestamp,
        actor -> Text,
        event -> Text,
        subject -> Text,
        detail -> Text,
    }
}

diesel::table! {
    signing_keys (id) {
        id -> Text,
        secret -> Text,
        created_at -> Timestamp,
    }
}

diesel::table! {
    actions (id) {
        id -> Text,
        org_id -> Text,
        site_id -> Nullable<Text>,
        title -> Text,
        description -> Text,
        status -> Text,
        priority -> BigInt,
        assignee_id -> Nullable<Text>,
        due_date -> Nullable<Text>,
        comment_count -> BigInt,
        created_at -> Timestamp,
        updated_at -> Timestamp,
        resolved_at -> Nullable<Timestamp>,
        verified_at -> Nullable<Timestamp>,
        waived_at -> Nullable<Timestamp>,
        check_id -> Nullable<Text>,
        dimension -> Nullable<Text>,
        severity -> Nullable<Text>,
        report_id -> Nullable<Text>,
        affected_pages -> Nullable<BigInt>,
        found_subject -> Nullable<Text>,
        found_sight -> Nullable<Text>,
        found_at -> Nullable<Timestamp>,
        found_on_all -> Nullable<Bool>,
        found_on -> Nullable<Text>,
    }
}

diesel::table! {
    action_comments (id) {
        id -> Text,
        org_id -> Text,
        action_id -> Text,
        body -> Text,
        author_kind -> Text,
        author_id -> Nullable<Text>,
        author_name -> Text,
        created_at -> Timestamp,
    }
}

diesel::table! {
    action_briefs (action_id) {
        action_id -> Text,
        org_id -> Text,
        status -> Text,
        instructions -> Nullable<Text>,
        content -> Nullable<Text>,
        generated_at -> Nullable<Timestamp>,
        error -> Nullable<Text>,
        generation -> BigInt,
        queued_at -> Timestamp,
        attempts -> BigInt,
        lease_owner -> Nullable<Text>,
        lease_expires_at -> Nullable<Timestamp>,
    }
}

diesel::table! {
    idempotent_calls (org_id, operation, call_key) {
        org_id -> Text,
        operation -> Text,
        call_key -> Text,
        fingerprint -> Text,
        status -> BigInt,
        location -> Nullable<Text>,
        body -> Text,
        created_at -> Timestamp,
    }
}

diesel::table! {
    org_retention (org_id) {
        org_id -> Text,
        reports_days -> Nullable<BigInt>,
        audit_log_days -> Nullable<BigInt>,
    }
}

diesel::table! {
    audit_log_trims (org_id) {
        org_id -> Text,
        trimmed_before -> Timestamp,
    }
}

diesel::table! {
    events (id) {
        id -> Text,
        org_id -> Text,
        kind -> Text,
        facts -> Text,
        created_at -> Timestamp,
    }
}

diesel::table! {
    webhooks (id) {
        id -> Text,
        org_id -> Text,
        url -> Text,
        events -> Text,
        state -> Text,
        sealed_secret -> Text,
        created_at -> Timestamp,
        updated_at -> Timestamp,
    }
}

diesel::table! {
    deliveries (id) {
        id -> Text,
        org_id -> Text,
        webhook_id -> Text,
        event_id -> Text,
        kind -> Text,
        status -> Text,
        attempts -> Text,
        next_attempt_at -> Nullable<Timestamp>,
        created_at -> Timestamp,
        finished_at -> Nullable<Timestamp>,
        epoch -> BigInt,
        lease_owner -> Nullable<Text>,
        lease_expires_at -> Nullable<Timestamp>,
    }
}

diesel::table! {
    backup_state (id) {
        id -> BigInt,
        good_at -> Nullable<Timestamp>,
        good_name -> Nullable<Text>,
        good_bytes -> Nullable<BigInt>,
        good_verification -> Nullable<Text>,
        failed_at -> Nullable<Timestamp>,
        failure -> Nullable<Text>,
        failures -> BigInt,
        lease_owner -> Nullable<Text>,
        lease_expires_at -> Nullable<Timestamp>,
    }
}

diesel::table! {
    secret_checks (id) {
        id -> BigInt,
        sealed -> Text,
    }
}

diesel::table! {
    health_probes (id) {
        id -> BigInt,
        writes -> BigInt,
    }
}

diesel::table! {
    /// The migrations that were run; maintained by Diesel's migration harness.
    __diesel_schema_migrations (version) {
        version -> Text,
        run_on -> Timestamp,
    }
}

diesel::allow_tables_to_appear_in_same_query!(
    organizations,
    members,
    accounts,
    sessions,
    second_factors,
    recovery_codes,
    pending_sign_ins,
    one_time_links,
    api_keys,
    sites,
    runs,
    jobs,
    causes,
    occurrences,
    artifacts,
    pages,
    page_orders,
    link_targets,
    redirect_chains,
    folders,
    reports,
    issues,
    schedules,
    usage_counters,
    audit_log,
    signing_keys,
    actions,
    action_comments,
    action_briefs,
    idempotent_calls,
    events,
    webhooks,
    deliveries,
    org_retention,
    org_storage,
    audit_log_trims,
    backup_state,
    secret_checks,
    health_probes,
    waivers,
);
