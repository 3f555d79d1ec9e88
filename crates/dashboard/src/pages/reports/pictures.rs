//! Pictures of pages and of what was found on them.

use std::collections::HashMap;

use domain::artifact::{ArtifactId, ArtifactInfo, ArtifactKind};
use domain::id::ReportId;
use domain::report::Occurrence;
use domain::usecase::{ArtifactNotRead, Artifacts};

use crate::failure::Failure;
use crate::pages::evidence::{Address, ElementPicture, OccurrenceRow};
use crate::reply::Reply;
use crate::visit::Visit;

/// The picture of a page.
pub(super) struct PagePicture {
    pub(super) path: String,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) address: Address,
    /// Whether the scripts of the page did not run.
    pub(super) is_without_scripts: bool,
}

/// The pictures of a report.
pub(super) struct Pictures {
    report: String,
    /// In the order of their ids.
    infos: Vec<ArtifactInfo>,
}

impl Pictures {
    /// Those that can be read now.
    pub(super) fn load(visit: &Visit, report: &ReportId) -> Result<Self, Failure> {
        let stored = visit.state.stores.artifacts(visit.org()?, report)?;
        let stored = stored.unwrap_or_default().into_iter();
        Ok(Self {
            report: report.to_string(),
            infos: stored.map(|stored| stored.info).collect(),
        })
    }

    /// The pictures of pages.
    pub(super) fn of_pages(&self) -> Vec<PagePicture> {
        let infos = self.infos.iter();
        infos
            .filter(|info| info.kind != ArtifactKind::Element)
            .map(|info| PagePicture {
                path: self.path(info.id),
                width: info.width,
                height: info.height,
                address: Address::new(&info.url),
                is_without_scripts: info.kind == ArtifactKind::WithoutScripts,
            })
            .collect()
    }

    /// Adds the pictures of elements to the rows of these occurrences. Occurrences of one element have one picture, which
    /// is shown with the first.
    pub(super) fn add_to<'a>(
        &self,
        rows: impl Iterator<Item = (&'a mut OccurrenceRow, &'a Occurrence)>,
    ) {
        let infos = self.infos.iter().map(|info| (info.id, info));
        let mut left: HashMap<ArtifactId, &ArtifactInfo> = infos.collect();
        for (row, occurrence) in rows {
            let info = occurrence.artifact.and_then(|id| left.remove(&id));
            row.picture = info.map(|info| ElementPicture {
                path: self.path(info.id),
                width: info.width,
                height: info.height,
            });
        }
    }

    fn path(&self, id: ArtifactId) -> String {
        format!("/reports/{}/pictures/{id}", self.report)
    }
}

/// Sends a picture.
pub(super) fn show(visit: &Visit) -> Result<Reply, Failure> {
    let report = visit.id("id", ReportId::parse)?;
    let id = visit.id("artifact", ArtifactId::parse)?;
    let artifacts = Artifacts {
        records: &*visit.state.stores,
        objects: &*visit.state.objects,
    };
    match artifacts.read(visit.org()?, &report, id) {
        Ok((_, jpeg)) => Ok(Reply::picture(jpeg)),
        Err(ArtifactNotRead::NotFound) => Err(Failure::NotFound),
        Err(ArtifactNotRead::Store(error)) => Err(error.into()),
        Err(ArtifactNotRead::Object(error)) => {
            tracing::warn!(%error, "picture not available");
            Err(Failure::Unavailable)
        }
        Err(error @ ArtifactNotRead::Altered(_)) => Err(Failure::Internal(error.to_string())),
    }
}
