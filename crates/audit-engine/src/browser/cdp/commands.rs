//! The commands that the engine calls. Each is a struct with the parameters that the engine sets, and names its
//! answer with the fields that it reads; all other fields are ignored.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A command of the protocol.
pub(crate) trait Command: Serialize + Sync {
    /// The method, such as `Browser.getVersion`.
    const METHOD: &'static str;
    /// What the engine reads of the answer.
    type Answer: DeserializeOwned;
}

/// An answer of which nothing is read.
#[derive(Debug, Deserialize)]
pub(crate) struct Done {}

/// Declares commands: the struct, its method, and the type of its answer.
macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident $(<$life:lifetime>)? { $($(#[$attribute:meta])* $field:ident: $type:ty),* $(,)? } = $method:literal => $answer:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $name $(<$life>)? {
            $($(#[$attribute])* pub(crate) $field: $type,)*
        }

        impl $(<$life>)? Command for $name $(<$life>)? {
            const METHOD: &'static str = $method;
            type Answer = $answer;
        }
    )*};
}

commands! {
    /// Which browser this is.
    GetVersion {} = "Browser.getVersion" => Version;
    /// Ends the browser.
    CloseBrowser {} = "Browser.close" => Done;
    /// Whether downloads of a context are stored.
    SetDownloadBehavior<'a> { behavior: &'static str, browser_context_id: &'a str } = "Browser.setDownloadBehavior" => Done;

    /// Opens a context: cookies, storage, cache and a proxy of its own.
    CreateBrowserContext { proxy_server: String, proxy_bypass_list: &'static str, dispose_on_detach: bool } = "Target.createBrowserContext" => CreatedContext;
    /// Ends a context with its tabs.
    DisposeBrowserContext<'a> { browser_context_id: &'a str } = "Target.disposeBrowserContext" => Done;
    /// Opens a tab.
    CreateTarget<'a> { url: &'static str, browser_context_id: &'a str } = "Target.createTarget" => CreatedTarget;
    /// Opens a session with a tab.
    AttachToTarget<'a> { target_id: &'a str, flatten: bool } = "Target.attachToTarget" => Attached;
    /// Closes a tab.
    CloseTarget<'a> { target_id: &'a str } = "Target.closeTarget" => Done;
    /// Reports the windows that a page opens, and stops them before they load.
    SetAutoAttach { auto_attach: bool, wait_for_debugger_on_start: bool, flatten: bool } = "Target.setAutoAttach" => Done;
    /// Lets a target run that was stopped when it was opened.
    RunIfWaiting {} = "Runtime.runIfWaitingForDebugger" => Done;

    /// Reports the events of a page.
    EnablePage {} = "Page.enable" => Done;
    /// Loads a URL.
    Navigate<'a> { url: &'a str } = "Page.navigate" => Navigated;
    /// Replaces the content of a document.
    SetDocumentContent<'a> { frame_id: &'a str, html: &'a str } = "Page.setDocumentContent" => Done;
    /// Stops loading.
    StopLoading {} = "Page.stopLoading" => Done;
    /// Runs a script in every new document before its own.
    AddScript<'a> { source: &'a str, world_name: &'static str } = "Page.addScriptToEvaluateOnNewDocument" => Done;
    /// The world of that name in a frame, whose scripts the page cannot see.
    CreateIsolatedWorld<'a> { frame_id: &'a str, world_name: &'static str } = "Page.createIsolatedWorld" => World;
    /// Answers a dialog.
    HandleDialog { accept: bool } = "Page.handleJavaScriptDialog" => Done;
    /// No file dialog opens.
    InterceptFileChooser { enabled: bool } = "Page.setInterceptFileChooserDialog" => Done;

    /// Reports the requests of a page.
    EnableNetwork {} = "Network.enable" => Done;
    /// Lets requests to these URLs wait until they are continued.
    EnableFetch { patterns: Vec<RequestPattern> } = "Fetch.enable" => Done;
    /// Lets a request go on. Headers replace its own, and do not extend to a redirect of it.
    ContinueRequest<'a> { request_id: &'a str, #[serde(skip_serializing_if = "Option::is_none")] headers: Option<Vec<HeaderEntry>> } = "Fetch.continueRequest" => Done;
    /// Reports exceptions, and the worlds in which scripts run.
    EnableRuntime {} = "Runtime.enable" => Done;
    /// Reports what the browser writes to the console.
    EnableLog {} = "Log.enable" => Done;
    /// Reports crashes.
    EnableInspector {} = "Inspector.enable" => Done;

    /// Stops or resumes the scripts of a page. Calls of the engine still run.
    SetScriptsDisabled { value: bool } = "Emulation.setScriptExecutionDisabled" => Done;
    /// The size of the window.
    SetDeviceMetrics { width: u32, height: u32, device_scale_factor: f64, mobile: bool } = "Emulation.setDeviceMetricsOverride" => Done;
    /// What a visitor prefers.
    SetMedia { features: Vec<MediaFeature> } = "Emulation.setEmulatedMedia" => Done;
    /// The time zone.
    SetTimezone { timezone_id: &'static str } = "Emulation.setTimezoneOverride" => Done;
    /// The user agent, and the languages that the page is asked for.
    SetUserAgent<'a> { user_agent: &'a str, accept_language: &'static str } = "Emulation.setUserAgentOverride" => Done;

    /// Evaluates an expression in a world of the page.
    Evaluate<'a> { expression: &'a str, #[serde(skip_serializing_if = "Option::is_none")] context_id: Option<i64>, return_by_value: bool, await_promise: bool } = "Runtime.evaluate" => Evaluated;
    /// Evaluates an expression whose value is an object of the page.
    EvaluateObject<'a> { expression: &'a str, context_id: i64 } = "Runtime.evaluate" => EvaluatedObject;
    /// Calls a function with objects of the page.
    CallFunctionOn<'a> { function_declaration: &'a str, execution_context_id: i64, arguments: &'a [ObjectArgument], return_by_value: bool } = "Runtime.callFunctionOn" => Evaluated;
    /// Ends the script that runs.
    TerminateExecution {} = "Runtime.terminateExecution" => Done;
    /// The tree of a page with its layout.
    CaptureSnapshot { computed_styles: &'static [&'static str], include_paint_order: bool } = "DOMSnapshot.captureSnapshot" => Box<RawValue>;

    /// The number that an object of the page has in a snapshot.
    DescribeObject<'a> { object_id: &'a str } = "DOM.describeNode" => Described;
    /// The object of the page that has this number in a snapshot.
    ResolveNode { backend_node_id: i64, execution_context_id: i64 } = "DOM.resolveNode" => Resolved;
    /// Reports events about the tree. Style sheets are reported only with it.
    EnableDom {} = "DOM.enable" => Done;
    /// Ends the events about the tree that asking for the document begins.
    DisableDom {} = "DOM.disable" => Done;

    /// Presses or releases a key.
    DispatchKey { #[serde(rename = "type")] kind: &'static str, key: &'static str, code: &'static str, windows_virtual_key_code: u32 } = "Input.dispatchKeyEvent" => Done;
    /// Whether the page behaves as the one that a visitor works in.
    SetFocusEmulation { enabled: bool } = "Emulation.setFocusEmulationEnabled" => Done;
    /// A picture of a part of the window.
    CaptureClip { format: &'static str, quality: u32, clip: Clip } = "Page.captureScreenshot" => Picture;
    /// A picture of the window.
    CaptureScreenshot { format: &'static str, optimize_for_speed: bool } = "Page.captureScreenshot" => Picture;

    /// Takes requests past the service worker of the page.
    BypassServiceWorker { bypass: bool } = "Network.setBypassServiceWorker" => Done;
    /// How many times slower scripts run.
    SetCpuRate { rate: f64 } = "Emulation.setCPUThrottlingRate" => Done;
    /// Moves the clock of a page forward by `budget` milliseconds, from one timer to the next, and then stops it. With the policy
    /// `pauseIfNetworkFetchesPending` it stands still while a request is open.
    SetVirtualTime { policy: &'static str, budget: u32, max_virtual_time_task_starvation_count: u32 } = "Emulation.setVirtualTimePolicy" => Done;
    /// Adds up what the main thread does.
    EnablePerformance {} = "Performance.enable" => Done;
    /// What the main thread has done.
    GetMetrics {} = "Performance.getMetrics" => PerformanceMetrics;
    /// Sends a picture of the window whenever it changes.
    StartScreencast { format: &'static str, quality: u32, max_width: u32, max_height: u32 } = "Page.startScreencast" => Done;
    /// Asks for the next picture.
    AcknowledgeFrame { session_id: i64 } = "Page.screencastFrameAck" => Done;
    /// Ends the pictures.
    StopScreencast {} = "Page.stopScreencast" => Done;

    /// Allows to note what runs.
    EnableProfiler {} = "Profiler.enable" => Done;
    /// Ends that.
    DisableProfiler {} = "Profiler.disable" => Done;
    /// Notes which functions run.
    StartPreciseCoverage { call_count: bool, detailed: bool } = "Profiler.startPreciseCoverage" => Done;
    /// Ends that.
    StopPreciseCoverage {} = "Profiler.stopPreciseCoverage" => Done;
    /// Which functions ran.
    TakePreciseCoverage {} = "Profiler.takePreciseCoverage" => Coverage;
    /// Reports the style sheets of a page.
    EnableCss {} = "CSS.enable" => Done;
    /// Ends that.
    DisableCss {} = "CSS.disable" => Done;
    /// Notes which rules match an element.
    StartRuleUsage {} = "CSS.startRuleUsageTracking" => Done;
    /// Which rules matched, of those not reported before.
    TakeRuleUsage {} = "CSS.takeCoverageDelta" => RuleUsages;

    /// Forgets the cookies of a context.
    ClearCookies<'a> { browser_context_id: &'a str } = "Storage.clearCookies" => Done;
    /// Forgets what an origin stored.
    ClearOrigin<'a> { origin: &'a str, storage_types: &'static str } = "Storage.clearDataForOrigin" => Done;
}

/// Which browser this is.
#[derive(Debug, Deserialize)]
pub(crate) struct Version {
    /// Name and version, such as `HeadlessChrome/156.0.8078.79`.
    pub(crate) product: String,
    /// The default user agent of the browser.
    #[serde(default, rename = "userAgent")]
    pub(crate) user_agent: String,
}

/// A new context.
#[derive(Debug, Deserialize)]
pub(crate) struct CreatedContext {
    #[serde(rename = "browserContextId")]
    pub(crate) id: String,
}

/// A new tab.
#[derive(Debug, Deserialize)]
pub(crate) struct CreatedTarget {
    #[serde(rename = "targetId")]
    pub(crate) id: String,
}

/// A new session.
#[derive(Debug, Deserialize)]
pub(crate) struct Attached {
    #[serde(rename = "sessionId")]
    pub(crate) session: String,
}

/// The beginning of a navigation.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Navigated {
    /// Why there is no document.
    #[serde(default)]
    pub(crate) error_text: Option<String>,
    #[serde(default)]
    pub(crate) is_download: bool,
}

/// A world of a page.
#[derive(Debug, Deserialize)]
pub(crate) struct World {
    #[serde(rename = "executionContextId")]
    pub(crate) id: i64,
}

/// The requests that wait: `*` stands for any characters.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestPattern {
    pub(crate) url_pattern: String,
}

/// A header of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct HeaderEntry {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// A preference such as `prefers-reduced-motion`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct MediaFeature {
    pub(crate) name: &'static str,
    pub(crate) value: &'static str,
}

/// The value of an expression.
#[derive(Debug, Deserialize)]
pub(crate) struct Evaluated {
    #[serde(default)]
    pub(crate) result: RemoteValue,
}

/// A value by value.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct RemoteValue {
    #[serde(default)]
    pub(crate) value: serde_json::Value,
}

/// The object that is the value of an expression.
#[derive(Debug, Deserialize)]
pub(crate) struct EvaluatedObject {
    pub(crate) result: RemoteObject,
}

/// A value by reference.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RemoteObject {
    #[serde(default)]
    pub(crate) object_id: Option<String>,
}

/// What the main thread has done.
#[derive(Debug, Deserialize)]
pub(crate) struct PerformanceMetrics {
    pub(crate) metrics: Vec<PerformanceMetric>,
}

/// A sum.
#[derive(Debug, Deserialize)]
pub(crate) struct PerformanceMetric {
    pub(crate) name: String,
    pub(crate) value: f64,
}

/// An object of the page as an argument.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ObjectArgument {
    pub(crate) object_id: String,
}

/// A node as an object of the page.
#[derive(Debug, Deserialize)]
pub(crate) struct Resolved {
    pub(crate) object: RemoteObject,
}

/// Which functions ran.
#[derive(Debug, Deserialize)]
pub(crate) struct Coverage {
    #[serde(rename = "result")]
    pub(crate) scripts: Vec<CoveredScript>,
}

/// The functions of a script.
#[derive(Debug, Deserialize)]
pub(crate) struct CoveredScript {
    pub(crate) url: String,
    pub(crate) functions: Vec<CoveredFunction>,
}

/// A function.
#[derive(Debug, Deserialize)]
pub(crate) struct CoveredFunction {
    pub(crate) ranges: Vec<CoveredRange>,
}

/// A part of a script, in UTF-16 code units.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CoveredRange {
    pub(crate) start_offset: u32,
    pub(crate) end_offset: u32,
    pub(crate) count: u32,
}

/// Which rules matched an element.
#[derive(Debug, Deserialize)]
pub(crate) struct RuleUsages {
    pub(crate) coverage: Vec<RuleUsage>,
}

/// A rule, with its place in UTF-16 code units.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RuleUsage {
    pub(crate) style_sheet_id: String,
    pub(crate) start_offset: f64,
    pub(crate) end_offset: f64,
    pub(crate) used: bool,
}

/// A part of the document in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Clip {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// How much larger the picture is than the window's own pixels.
    pub(crate) scale: f64,
}

/// A picture.
#[derive(Debug, Deserialize)]
pub(crate) struct Picture {
    /// In base64.
    pub(crate) data: String,
}

/// A node.
#[derive(Debug, Deserialize)]
pub(crate) struct Described {
    pub(crate) node: DescribedNode,
}

/// What is read of a node.
#[derive(Debug, Deserialize)]
pub(crate) struct DescribedNode {
    #[serde(rename = "backendNodeId")]
    pub(crate) backend_id: i64,
}
