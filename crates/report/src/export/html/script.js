"use strict";
(function () {
  var table = document.getElementById("overview");
  var form = document.getElementById("filter");
  if (table && form) {
    var body = table.tBodies[0];
    var rows = Array.prototype.slice.call(body.rows);
    var list = document.getElementById("found");
    var articles = {};
    rows.forEach(function (row) {
      articles[row.dataset.issue] = document.getElementById(row.dataset.issue);
    });
    var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
    var value = function (row, column) {
      var cell = row.cells[column];
      return cell.dataset.value === undefined ? cell.textContent.trim().toLowerCase() : Number(cell.dataset.value);
    };
    var compare = function (a, b) {
      return a < b ? -1 : a > b ? 1 : 0;
    };
    var sort = function (column, descending) {
      var sorted = rows.slice().sort(function (a, b) {
        var order = compare(value(a, column), value(b, column));
        return (descending ? -order : order) || rows.indexOf(a) - rows.indexOf(b);
      });
      sorted.forEach(function (row) {
        body.appendChild(row);
        list.appendChild(articles[row.dataset.issue]);
      });
      heads.forEach(function (head, index) {
        if (index === column) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
    };
    heads.forEach(function (head, column) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent.trim();
      button.addEventListener("click", function () {
        var now = head.getAttribute("aria-sort");
        var first = head.dataset.first === "descending";
        sort(column, now === null ? first : now === "ascending");
      });
      head.textContent = "";
      head.appendChild(button);
    });
    var text = document.getElementById("filter-text");
    var severity = document.getElementById("filter-severity");
    var dimension = document.getElementById("filter-dimension");
    var told = document.getElementById("filter-told");
    var filter = function () {
      var words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      var shown = 0;
      rows.forEach(function (row) {
        var article = articles[row.dataset.issue];
        var all = article.textContent.toLowerCase();
        var fits = (!severity.value || row.dataset.severity === severity.value) &&
          (!dimension.value || row.dataset.dimension === dimension.value) &&
          words.every(function (word) { return all.indexOf(word) !== -1; });
        row.hidden = article.hidden = !fits;
        if (fits) shown += 1;
      });
      told.value = shown === rows.length ? "All " + shown + " issues shown." : shown + " of " + rows.length + " issues shown.";
    };
    [text, severity, dimension].forEach(function (field) {
      field.addEventListener("input", filter);
    });
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    form.hidden = false;
  }
  window.addEventListener("beforeprint", function () {
    Array.prototype.forEach.call(document.querySelectorAll("details.sum, details.cause"), function (details) { details.open = true; });
  });
}());
