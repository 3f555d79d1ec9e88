//! What a tool is.

use std::pin::Pin;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::answer::{NEXT_KEY, TextOrigin, ToolResponse};
use crate::arguments;
use crate::context::Context;
use crate::failure::Failure;
use crate::schema;
use crate::variant::Offers;

/// A tool. Its schemas are generated from the types of its arguments and its result.
pub(crate) trait Tool {
    /// Its name in the protocol.
    const NAME: &'static str;
    /// Its name for people.
    const TITLE: &'static str;
    /// When to call it and what it returns, for a model.
    const DESCRIPTION: &'static str;
    /// The effect of a call.
    const EFFECT: Effect;
    /// Whether it works on action items, which the legacy variant does not have.
    const ON_ACTIONS: bool = false;
    /// Whether texts of its result may be truncated. Instructions that must be complete may not.
    const CUT: bool = true;
    /// Whose text its result may contain.
    const TEXT_ORIGIN: TextOrigin;
    /// Its arguments.
    type Arguments: DeserializeOwned + ToSchema + Send;
    /// Its result.
    type Output: Serialize + ToSchema + Send;

    /// Calls the service.
    fn call(
        context: &Context,
        arguments: Self::Arguments,
    ) -> impl Future<Output = Result<Self::Output, Failure>> + Send;

    /// What to call after this result, with the ids to pass. It names no tool that the service does not offer.
    fn next(output: &Self::Output, offers: Offers) -> String;
}

/// The effect of a tool call. The protocol's hints are derived from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Reads only.
    Reads,
    /// Each call adds something and accesses the site on the internet.
    Audits,
    /// Each call adds something.
    Adds,
    /// Replaces something; repeating the call changes nothing more.
    Replaces,
}

/// The future of a result.
pub(crate) type Answering<'a> =
    Pin<Box<dyn Future<Output = Result<ToolResponse, Failure>> + Send + 'a>>;

/// A tool in the list of all.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(crate) effect: Effect,
    pub(crate) on_actions: bool,
    /// The schema of its arguments.
    pub(crate) arguments: fn(Offers) -> Map<String, Value>,
    /// The complete schema of its result, with descriptions and required keys.
    pub(crate) output: fn(Offers) -> Map<String, Value>,
    pub(crate) call: for<'a> fn(&'a Context, Map<String, Value>) -> Answering<'a>,
}

impl Entry {
    /// The entry of a tool.
    pub(crate) const fn new<T: Tool + 'static>() -> Self {
        Self {
            name: T::NAME,
            title: T::TITLE,
            description: T::DESCRIPTION,
            effect: T::EFFECT,
            on_actions: T::ON_ACTIONS,
            arguments: |offers| offers.schema(schema::of_arguments::<T::Arguments>()),
            output: |offers| offers.schema(schema::of_answer::<T::Output>(T::TEXT_ORIGIN)),
            call: |context, arguments| Box::pin(answer::<T>(context, arguments)),
        }
    }
}

async fn answer<T: Tool>(
    context: &Context,
    arguments: Map<String, Value>,
) -> Result<ToolResponse, Failure> {
    let schema = context
        .offers
        .schema(schema::of_arguments::<T::Arguments>());
    let arguments = arguments::without_nulls(arguments, &schema);
    let wrong = arguments::errors(&arguments, &schema);
    if !wrong.is_empty() {
        return Err(Failure::arguments(&wrong));
    }
    let given: Vec<String> = arguments.keys().cloned().collect();
    let arguments =
        serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
            let path = error.path().to_string();
            Failure::argument(&path, "has a value that the tool does not accept")
        })?;
    let output = T::call(context, arguments).await;
    let output = output.map_err(|failure| failure.naming_lists(&given))?;
    let mut structure = serde_json::to_value(&output)
        .map_err(|error| Failure::new("client_error", error.to_string()))?;
    if let Value::Object(map) = &mut structure {
        let next = T::next(&output, context.offers);
        map.insert(NEXT_KEY.to_owned(), Value::from(next));
    }
    let structure = context.offers.answer(structure);
    if T::CUT {
        ToolResponse::fitting(structure, T::TEXT_ORIGIN)
    } else {
        ToolResponse::uncut(structure, T::TEXT_ORIGIN)
    }
}
