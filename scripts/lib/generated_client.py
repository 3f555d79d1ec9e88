"""Calls every operation with the client that openapi-python-client generates. Prints the names of the operations; fails
at the first call that does not succeed.

The generated client parses every response of an operation as the first media type of the document. Files are therefore
read with its HTTP client from the request that it builds.
"""

import importlib
import os
import uuid

from assay_client import AuthenticatedClient
from assay_client.models import (
    ActionStatus,
    AddCommentRequest,
    CreateActionRequest,
    CreateSiteRequest,
    CreateWaiverRequest,
    CreateWebhookRequest,
    Frequency,
    GetReportFormat,
    HandoffRequest,
    SetScheduleRequest,
    StartAuditRequest,
    UpdateActionRequest,
    UpdateSiteRequest,
    UpdateWebhookRequest,
    WebhookEvent,
)

URL, KEY, SITE = (os.environ[name] for name in ("ASSAY_URL", "ASSAY_API_KEY", "SITE"))
client = AuthenticatedClient(base_url=URL, token=KEY)


def call(name, *path, **arguments):
    """The parsed body of a successful response of the operation `tag.operation`."""
    operation = importlib.import_module(f"assay_client.api.{name}")
    response = operation.sync_detailed(*path, client=client, **arguments)
    assert 200 <= response.status_code < 300, f"{name}: {response.status_code} {response.content!r}"
    print(name.split(".")[1])
    return response.parsed


key = str(uuid.uuid4())
started = call("runs.start_audit", body=StartAuditRequest(url=SITE), idempotency_key=key)
run_id, site_id = started.run_id, started.site_id
assert "event: completed" in call("runs.watch_run", run_id)
run = call("runs.get_run", run_id)
report_id = run.report_id
call("runs.list_runs", site_id=site_id, status="completed,failed")

report = call("reports.get_report", report_id)
link = call("reports.get_report", report_id, format_=GetReportFormat.PDF_URL)
assert link.expires_at
get_report = importlib.import_module("assay_client.api.reports.get_report")
for file_format in GetReportFormat:
    if file_format is not GetReportFormat.PDF_URL:
        request = get_report._get_kwargs(report_id, format_=file_format)
        answer = client.get_httpx_client().request(**request)
        assert answer.status_code == 200 and len(answer.content) > 100, file_format
issue_id = report.issues[0].issue_id
call("reports.list_causes", report_id, issue_id)
call("reports.list_occurrences", report_id, issue_id, limit=5)
call("reports.list_pages", report_id)
call("reports.list_links", report_id)
call("reports.list_redirects", report_id)
call("reports.list_artifacts", report_id)
call("reports.compare_reports", report_id, against=report_id)

call("account.get_account")
call("account.list_members")
call("checks.list_checks")

action_id = call("actions.list_actions", site_id=site_id, status="open", priority="critical,high").actions[0].action_id
call("actions.create_action", body=CreateActionRequest(title="Renew the certificate", site_id=site_id))
call("actions.get_action", action_id)
call("actions.update_action", action_id, body=UpdateActionRequest(status=ActionStatus.IN_PROGRESS, due_date=None))
call("actions.comment_on_action", action_id, body=AddCommentRequest(body="Begun."))
call("actions.list_comments", action_id)
call("actions.queue_brief", action_id)
call("actions.get_brief", action_id)
call("actions.handoff_actions", body=HandoffRequest(ids=[action_id]))

call("sites.list_sites")
call("sites.get_site", site_id)
call("sites.update_site", site_id, body=UpdateSiteRequest(name="Books"))
call("sites.get_site_history", site_id, limit=5)
schedule = SetScheduleRequest(enabled=True, frequency=Frequency.WEEKLY, timezone="Europe/Berlin")
call("sites.set_schedule", site_id, body=schedule)
call("sites.get_schedule", site_id)
waiver = call("sites.create_waiver", site_id, body=CreateWaiverRequest(check_id="csp-missing", reason="A static site."))
call("sites.list_waivers", site_id)
call("sites.delete_waiver", site_id, waiver.waiver_id)

events = [WebhookEvent.RUN_COMPLETED]
webhook = call("webhooks.create_webhook", body=CreateWebhookRequest(url="https://hooks.example.com/assay", events=events))
call("webhooks.list_webhooks")
call("webhooks.get_webhook", webhook.webhook_id)
call("webhooks.update_webhook", webhook.webhook_id, body=UpdateWebhookRequest(events=[WebhookEvent.RUN_FAILED]))
call("webhooks.test_webhook", webhook.webhook_id)
call("webhooks.list_deliveries", webhook.webhook_id)
call("webhooks.delete_webhook", webhook.webhook_id)

other = call("sites.create_site", body=CreateSiteRequest(url="https://unused.example.org/"))
second = call("runs.start_audit", body=StartAuditRequest(url=SITE))
cancel = importlib.import_module("assay_client.api.runs.cancel_run").sync_detailed(second.run_id, client=client)
assert cancel.status_code in (200, 202, 409), cancel
print("cancel_run")
call("sites.delete_site", other.site_id)
