//! Finds broken associations between table headers and cells.

use std::collections::HashSet;

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::{ElementRef, NodeId};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The ids in the `headers` attribute of a cell refer to other cells of the same table. Every header cell
    /// has a cell in its column or row that it can be the header of.
    ///
    /// ## Why it matters
    /// A screen reader announces the headers of a cell before its content. Without them, a number in the
    /// middle of a table has no meaning.
    ///
    /// ## How to fix it
    /// Remove `headers`, which simple tables do not need, or use the ids of the header cells in it. Use `td`
    /// for a cell that is not a header of any cell.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Prices</title><table><tr><th>Ticket</th><th>Price</th></tr><tr><td>Day</td><td headers="price">9 €</td></tr></table></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Prices</title><table><tr><th>Ticket</th><th id="price">Price</th></tr><tr><td>Day</td><td headers="price">9 €</td></tr></table></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate whether a header describes its cells. Layout tables, marked by their role,
    /// and tables that scripts may still fill are excluded.
    ///
    /// ## Also known as
    /// - axe: `td-headers-attr`
    /// - axe: `th-has-data-cells`
    /// - Lighthouse: `td-headers-attr`
    /// - Lighthouse: `th-has-data-cells`
    /// - WCAG: Failure F90
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.3.1 Info and Relationships (A)
    /// - W3C ACT rule a25f45, Headers attribute specified on a cell refers to cells in the same table element
    /// - W3C ACT rule d0f69e, Table header cell has assigned cells
    /// - HTML Standard, section 4.9.12 Processing model of tables
    TABLE_HEADERS {
        id: "table-headers",
        title: "Broken table header associations",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Most columns and slots of a table. The headers of larger tables are not evaluated.
const MAX_COLUMNS: usize = 1_000;
const MAX_SLOTS: usize = 200_000;

/// Roles of header cells.
const HEADERS: [&str; 2] = ["columnheader", "rowheader"];

/// Roles of all cells.
const CELLS: [&str; 4] = ["cell", "gridcell", "columnheader", "rowheader"];

/// Roles of tables.
const TABLES: [&str; 3] = ["table", "grid", "treegrid"];

/// A cell with its position in the table.
#[derive(Debug)]
struct Cell<'a> {
    element: ElementRef<'a>,
    is_header: bool,
    row: usize,
    column: usize,
    width: usize,
    height: usize,
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let scripted = page.runs_scripts();
    let mut verdicts = Vec::new();
    let of_role = page
        .elements_with(crate::page::Traits::ROLE)
        .filter(|element| !element.is("table"));
    for table in page.html("table").chain(of_role) {
        let is_table = tree.role(table).is_some_and(|role| role.is_any(&TABLES));
        if is_table && tree.is_exposed(table) {
            evaluate_table(&tree, table, scripted, &mut verdicts);
        }
    }
    Outcome::for_each(verdicts, |verdict| verdict)
}

fn evaluate_table<'a>(
    tree: &AccessTree<'a>,
    table: ElementRef<'a>,
    scripted: bool,
    verdicts: &mut Vec<Verdict>,
) {
    let rows = rows(tree, table);
    let own: HashSet<NodeId> = rows.iter().flatten().map(|cell| cell.id()).collect();
    for cell in rows
        .iter()
        .flatten()
        .filter(|cell| cell.has_attr("headers"))
    {
        verdicts.extend(evaluate_references(tree, *cell, &own));
    }
    let Some(grid) = Grid::new(tree, &rows) else {
        return;
    };
    let is_empty = !grid.cells.iter().any(|cell| !cell.is_header);
    for header in grid.cells.iter().filter(|cell| cell.is_header) {
        verdicts.push(if grid.is_header_of_a_cell(header) {
            Verdict::Pass
        } else if is_empty && scripted {
            Verdict::CannotTell("The table has no data cells; a script may add them.")
        } else {
            tree.failure(
                header.element,
                "This header cell has no cell in its column or row that it could be the header of.",
            )
        });
    }
}

/// The cells exposed to assistive technology, row by row.
fn rows<'a>(tree: &AccessTree<'a>, table: ElementRef<'a>) -> Vec<Vec<ElementRef<'a>>> {
    let dom = table.dom();
    let mut rows: Vec<Vec<ElementRef<'a>>> = Vec::new();
    let mut walk = dom.descendants(table.id());
    let mut row = None;
    while let Some(id) = walk.next() {
        let Some(element) = dom.element(id) else {
            continue;
        };
        let role = tree.role(element);
        let is = |names: &[&str]| role.is_some_and(|role| role.is_any(names));
        if tree.exposure(element).hidden || is(&TABLES) || element.is("table") {
            walk.skip_children(id);
        } else if element.is("tr") || is(&["row"]) {
            row = Some(id);
            rows.push(Vec::new());
        } else if element.is("td") || element.is("th") || is(&CELLS) {
            walk.skip_children(id);
            if row.is_some()
                && let Some(cells) = rows.last_mut()
            {
                cells.push(element);
            }
        }
    }
    rows
}

/// The verdict on the `headers` attribute of a cell; none if the cell is not evaluated.
fn evaluate_references<'a>(
    tree: &AccessTree<'a>,
    cell: ElementRef<'a>,
    own: &HashSet<NodeId>,
) -> Option<Verdict> {
    let is_cell = tree.role(cell).is_some_and(|role| role.is_any(&CELLS));
    let names = cell.attr("headers").unwrap_or_default();
    let is_exposed = tree.is_exposed(cell);
    if !is_cell || !is_exposed || !(cell.is("td") || cell.is("th")) || names.trim().is_empty() {
        return None;
    }
    let page = tree.page();
    let wrong = names.split_ascii_whitespace().find_map(|name| {
        let Some(header) = page.referenced(cell, name) else {
            return Some(format!(
                "The attribute headers refers to the id \"{name}\", which no element has."
            ));
        };
        if header == cell {
            Some(format!(
                "The attribute headers refers to the id \"{name}\" of the cell itself; expected a header cell."
            ))
        } else if own.contains(&header.id()) {
            None
        } else {
            Some(format!(
                "The attribute headers refers to the id \"{name}\", which is not a cell of this table."
            ))
        }
    });
    Some(wrong.map_or(Verdict::Pass, |message| tree.failure(cell, message)))
}

/// The layout of the cells of a table.
#[derive(Debug)]
struct Grid<'a> {
    cells: Vec<Cell<'a>>,
    /// For each row, whether it contains a data cell without `headers`.
    data_in_row: Vec<bool>,
    /// For each row, the column of its last cell.
    last_column: Vec<usize>,
    /// For each column, the last row with a cell without `headers`.
    last_row: Vec<Option<usize>>,
    /// The ids that `headers` attributes refer to.
    named: HashSet<&'a str>,
}

impl<'a> Grid<'a> {
    /// Lays the cells out (HTML, forming a table); none if the table is too large.
    fn new(tree: &AccessTree<'a>, rows: &[Vec<ElementRef<'a>>]) -> Option<Self> {
        let mut grid = Self {
            cells: Vec::new(),
            data_in_row: vec![false; rows.len()],
            last_column: vec![0; rows.len()],
            last_row: Vec::new(),
            named: HashSet::new(),
        };
        // For each column, the first row that no spanning cell covers.
        let mut free_from: Vec<usize> = Vec::new();
        let mut slots = 0_usize;
        for (row, elements) in rows.iter().enumerate() {
            let mut column = 0;
            for element in elements {
                while free_from.get(column).is_some_and(|from| *from > row) {
                    column += 1;
                }
                let width = span(*element, ["colspan", "aria-colspan"]).clamp(1, MAX_COLUMNS);
                let height = match span(*element, ["rowspan", "aria-rowspan"]) {
                    0 => rows.len() - row,
                    height => height.min(rows.len() - row),
                };
                slots = slots.saturating_add(width.saturating_mul(height));
                if column + width > MAX_COLUMNS || slots > MAX_SLOTS {
                    return None;
                }
                if free_from.len() < column + width {
                    free_from.resize(column + width, 0);
                }
                for from in free_from.iter_mut().skip(column).take(width) {
                    *from = row + height;
                }
                let role = tree.role(*element);
                grid.add(Cell {
                    element: *element,
                    is_header: role.is_some_and(|role| role.is_any(&HEADERS)),
                    row,
                    column,
                    width,
                    height,
                });
                column += width;
            }
        }
        Some(grid)
    }

    fn add(&mut self, cell: Cell<'a>) {
        let names = cell.element.attr("headers").unwrap_or_default();
        self.named.extend(names.split_ascii_whitespace());
        // A cell with `headers` has only the headers listed there.
        let is_free = names.trim().is_empty();
        let last = cell.row + cell.height - 1;
        if self.last_row.len() < cell.column + cell.width {
            self.last_row.resize(cell.column + cell.width, None);
        }
        if is_free {
            let columns = self.last_row.iter_mut().skip(cell.column);
            for found in columns.take(cell.width) {
                *found = (*found).max(Some(last));
            }
        }
        for row in cell.row..=last {
            if let Some(found) = self.data_in_row.get_mut(row) {
                *found |= is_free && !cell.is_header;
            }
            if let Some(found) = self.last_column.get_mut(row) {
                *found = (*found).max(cell.column);
            }
        }
        self.cells.push(cell);
    }

    /// Whether the header may be the header of a cell.
    fn is_header_of_a_cell(&self, header: &Cell<'_>) -> bool {
        let element = header.element;
        if element.attr("id").is_some_and(|id| self.named.contains(id)) {
            return true;
        }
        let scope = element
            .attr("scope")
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        let below = || {
            let last = header.row + header.height - 1;
            let mut columns = self.last_row.iter().skip(header.column).take(header.width);
            columns.any(|found| *found > Some(last))
        };
        let rows = || header.row..header.row + header.height;
        let data_beside = || rows().any(|row| self.data_in_row.get(row) == Some(&true));
        match scope.as_str() {
            "col" | "colgroup" => below(),
            "row" | "rowgroup" => {
                data_beside()
                    || rows().any(|row| self.last_column.get(row) > Some(&header.column))
                    || (scope == "rowgroup" && below())
            }
            _ => below() || data_beside(),
        }
    }
}

/// How many rows or columns a cell spans.
fn span(cell: ElementRef<'_>, names: [&str; 2]) -> usize {
    let [html, aria] = names;
    let is_html = cell.is("td") || cell.is("th");
    cell.attr(if is_html { html } else { aria })
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn headers_of_the_same_table_pass() {
        for html in [
            "<table><tr><th id=a>A<th id=b>B<tr><td headers=a>1<td headers='a b'>2</table>",
            "<table><tr><th>A<th>B<tr><th scope=row>1<td>2</table>",
            "<table><tr><th colspan=2>A<tr><td>1</table>",
            "<table><tr><th rowspan=0>A<td>1<tr><td>2</table>",
            "<table><tr><th scope=rowgroup>A<tr><td>2</table>",
            "<table role=grid><tr><th>A<tr><td>1</table>",
            "<div role=table><p role=row><b role=columnheader>A</b></p><p role=row><b role=cell>1</b></div>",
        ] {
            assert_passes(&TABLE_HEADERS, html);
        }
    }

    #[test]
    fn references_to_other_elements_fail() {
        for named in ["nowhere", "self", "para", "other"] {
            let html = format!(
                "<p id=para>x<table><tr><th id=other>x<td>x</table>\
                 <table><tr><th>A<tr><td>0<tr><td id=self headers={named}>1</table>"
            );
            assert_fails(&TABLE_HEADERS, &html, 1);
        }
    }

    #[test]
    fn headers_without_cells_fail() {
        for html in [
            "<table><tr><th>A<th>B<tr><td>1</table>",
            "<table><tr><th id=a>A<th>B<tr><td>1<td headers=a>2</table>",
            "<table><tr><td>1<tr><th>A</table>",
            "<table><tr><th scope=col>A<tr></table>",
        ] {
            assert_fails(&TABLE_HEADERS, html, 1);
        }
    }

    #[test]
    fn layout_hidden_and_other_tables_are_not_applicable() {
        for html in [
            "<table role=presentation><tr><th>A<th>B<tr><td>1</table>",
            "<table hidden><tr><th>A</table>",
            "<table role=list><tr><td id=a headers=a>A</table>",
            "<table><tr><td headers>1</table>",
            "<table><tr><td headers=x aria-hidden=true>1</table>",
            "<table><tr><th role=cell>1</table>",
        ] {
            assert_not_applicable(&TABLE_HEADERS, html);
        }
    }

    #[test]
    fn a_table_that_a_script_may_fill_cannot_tell() {
        let html = "<table><thead><tr><th>A<th>B<tbody></table><script src=x></script>";
        assert!(matches!(
            outcome(&TABLE_HEADERS, html),
            Outcome::CannotTell(_)
        ));
    }

    #[test]
    fn cells_of_a_nested_table_belong_to_that_table() {
        let html = "<table><tr><th id=a>A<tr><td><table><tr><td headers=a>1</table></table>";
        assert_fails(&TABLE_HEADERS, html, 1);
    }

    #[test]
    fn enormous_spans_are_not_applicable() {
        let html = format!(
            "<table>{}</table>",
            "<tr><th colspan=999 rowspan=65534>A<td>1".repeat(300)
        );
        assert_not_applicable(&TABLE_HEADERS, &html);
    }
}
