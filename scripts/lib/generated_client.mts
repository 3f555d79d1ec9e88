// Calls every operation with the client that openapi-fetch makes from the types of openapi-typescript. Prints the names
// of the operations; fails at the first call that does not succeed.
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

const { ASSAY_URL, ASSAY_API_KEY, SITE } = process.env;
if (!ASSAY_URL || !ASSAY_API_KEY || !SITE) throw new Error("ASSAY_URL, ASSAY_API_KEY and SITE are needed");
const api = createClient<paths>({ baseUrl: ASSAY_URL, headers: { Authorization: `Bearer ${ASSAY_API_KEY}` } });

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a successful response. */
async function ok<T>(name: string, answer: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer;
  if (!response.ok) throw new Error(`${name}: ${response.status} ${JSON.stringify(error)}`);
  console.log(name);
  return data as T;
}

const key = { "Idempotency-Key": crypto.randomUUID() };
const started = await ok("start_audit", api.POST("/api/mcp/start-audit", { params: { header: key }, body: { url: SITE } }));
const runId = started.runId;
const siteId = started.siteId;
await ok("watch_run", api.GET("/api/mcp/runs/{runId}/events", { params: { path: { runId } }, parseAs: "text" }));
const run = await ok("get_run", api.GET("/api/mcp/runs/{runId}", { params: { path: { runId } } }));
if (run.status !== "completed" || !run.reportId) throw new Error(`the run is ${run.status}: ${run.error?.message}`);
const reportId = run.reportId;
await ok("list_runs", api.GET("/api/mcp/runs", { params: { query: { siteId, status: "completed,failed" } } }));

const report = await ok("get_report", api.GET("/api/mcp/reports/{reportId}", { params: { path: { reportId } } }));
if (typeof report === "string" || !("issues" in report)) throw new Error("a link instead of a report");
for (const format of ["html", "markdown", "sarif", "junit", "csv", "json", "llm"] as const) {
  const params = { path: { reportId }, query: { format } };
  const file = await ok("get_report", api.GET("/api/mcp/reports/{reportId}", { params, parseAs: "arrayBuffer" }));
  if ((file as unknown as ArrayBuffer).byteLength < 100) throw new Error(`${format} is empty`);
}
const link = await ok("get_report", api.GET("/api/mcp/reports/{reportId}", { params: { path: { reportId }, query: { format: "pdf_url" } } }));
if (typeof link === "string" || !("expiresAt" in link)) throw new Error("no link");
const issueId = report.issues[0]!.issueId;
await ok("list_causes", api.GET("/api/mcp/reports/{reportId}/issues/{issueId}/causes", { params: { path: { reportId, issueId } } }));
await ok("list_occurrences", api.GET("/api/mcp/reports/{reportId}/issues/{issueId}/occurrences", { params: { path: { reportId, issueId }, query: { limit: 5 } } }));
await ok("list_pages", api.GET("/api/mcp/reports/{reportId}/pages", { params: { path: { reportId } } }));
await ok("list_links", api.GET("/api/mcp/reports/{reportId}/links", { params: { path: { reportId } } }));
await ok("list_redirects", api.GET("/api/mcp/reports/{reportId}/redirects", { params: { path: { reportId } } }));
await ok("list_artifacts", api.GET("/api/mcp/reports/{reportId}/artifacts", { params: { path: { reportId } } }));
await ok("compare_reports", api.GET("/api/mcp/reports/{reportId}/diff", { params: { path: { reportId }, query: { against: reportId } } }));

await ok("get_account", api.GET("/api/mcp/account", {}));
await ok("list_members", api.GET("/api/mcp/members", {}));
await ok("list_checks", api.GET("/api/mcp/checks", {}));

const items = await ok("list_actions", api.GET("/api/mcp/actions", { params: { query: { siteId, status: "open", priority: "critical,high" } } }));
const actionId = items.actions[0]!.actionId;
await ok("create_action", api.POST("/api/mcp/actions", { body: { title: "Renew the certificate", siteId, priority: "high" } }));
await ok("get_action", api.GET("/api/mcp/actions/{actionId}", { params: { path: { actionId } } }));
await ok("update_action", api.PATCH("/api/mcp/actions/{actionId}", { params: { path: { actionId } }, body: { status: "in_progress", dueDate: null } }));
await ok("comment_on_action", api.POST("/api/mcp/actions/{actionId}/comments", { params: { path: { actionId } }, body: { body: "Begun." } }));
await ok("list_comments", api.GET("/api/mcp/actions/{actionId}/comments", { params: { path: { actionId } } }));
await ok("queue_brief", api.POST("/api/mcp/actions/{actionId}/brief", { params: { path: { actionId } } }));
await ok("get_brief", api.GET("/api/mcp/actions/{actionId}/brief", { params: { path: { actionId } } }));
await ok("handoff_actions", api.POST("/api/mcp/actions/handoff", { body: { ids: [actionId], format: "cursor" } }));

const site = { params: { path: { siteId } } };
await ok("list_sites", api.GET("/api/mcp/sites", {}));
await ok("get_site", api.GET("/api/mcp/sites/{siteId}", site));
await ok("update_site", api.PATCH("/api/mcp/sites/{siteId}", { ...site, body: { name: "Books", options: { maxPages: 10 } } }));
await ok("get_site_history", api.GET("/api/mcp/sites/{siteId}/history", { params: { path: { siteId }, query: { limit: 5 } } }));
await ok("set_schedule", api.PUT("/api/mcp/sites/{siteId}/schedule", { ...site, body: { enabled: true, frequency: "weekly", timezone: "Europe/Berlin" } }));
await ok("get_schedule", api.GET("/api/mcp/sites/{siteId}/schedule", site));
const waiver = await ok("create_waiver", api.POST("/api/mcp/sites/{siteId}/waivers", { ...site, body: { checkId: "csp-missing", reason: "A static site." } }));
await ok("list_waivers", api.GET("/api/mcp/sites/{siteId}/waivers", site));
await ok("delete_waiver", api.DELETE("/api/mcp/sites/{siteId}/waivers/{waiverId}", { params: { path: { siteId, waiverId: waiver.waiverId } } }));

const webhook = await ok("create_webhook", api.POST("/api/mcp/webhooks", { body: { url: "https://hooks.example.com/assay", events: ["run.completed"] } }));
const hook = { params: { path: { webhookId: webhook.webhookId } } };
await ok("list_webhooks", api.GET("/api/mcp/webhooks", {}));
await ok("get_webhook", api.GET("/api/mcp/webhooks/{webhookId}", hook));
await ok("update_webhook", api.PATCH("/api/mcp/webhooks/{webhookId}", { ...hook, body: { events: ["run.failed"] } }));
await ok("test_webhook", api.POST("/api/mcp/webhooks/{webhookId}/test", hook));
await ok("list_deliveries", api.GET("/api/mcp/webhooks/{webhookId}/deliveries", hook));
await ok("delete_webhook", api.DELETE("/api/mcp/webhooks/{webhookId}", hook));

const other = await ok("create_site", api.POST("/api/mcp/sites", { body: { url: "https://unused.example.com/" } }));
const second = await ok("start_audit", api.POST("/api/mcp/start-audit", { body: { url: SITE } }));
const cancelled = await api.POST("/api/mcp/runs/{runId}/cancel", { params: { path: { runId: second.runId } } });
if (!cancelled.response.ok && cancelled.error?.code !== "conflict") throw new Error(`cancel_run: ${cancelled.response.status}`);
console.log("cancel_run");
await ok("delete_site", api.DELETE("/api/mcp/sites/{siteId}", { params: { path: { siteId: other.siteId } } }));
