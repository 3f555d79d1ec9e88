"use strict";
(function () {
  var first = document.getElementById("first");
  var rest = document.getElementById("rest");
  var form = document.getElementById("filter");
  if (first && form) {
    var most = first.children.length;
    var rows = Array.prototype.slice.call(document.querySelectorAll("details.issue"));
    var text = document.getElementById("filter-text");
    var severity = document.getElementById("filter-severity");
    var dimension = document.getElementById("filter-dimension");
    var order = document.getElementById("filter-order");
    var told = document.getElementById("filter-told");
    var descending = { pages: true };
    var sort = function () {
      var key = order.value;
      var sorted = rows.slice().sort(function (a, b) {
        var by = Number(a.dataset[key]) - Number(b.dataset[key]);
        return (descending[key] ? -by : by) || a.dataset.number - b.dataset.number;
      });
      sorted.forEach(function (row, index) {
        (index < most || !rest ? first : rest).appendChild(row);
      });
    };
    var filter = function () {
      var words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      var shown = 0;
      rows.forEach(function (row) {
        var all = row.textContent.toLowerCase();
        var fits = (!severity.value || row.dataset.severity === severity.value) &&
          (!dimension.value || row.dataset.dimension === dimension.value) &&
          words.every(function (word) { return all.indexOf(word) !== -1; });
        row.hidden = !fits;
        if (fits) shown += 1;
      });
      told.value = shown === rows.length ? "" : shown + " of " + rows.length + " issues shown.";
    };
    [text, severity, dimension].forEach(function (field) {
      field.addEventListener("input", filter);
    });
    order.addEventListener("input", sort);
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    form.hidden = false;
  }
  window.addEventListener("beforeprint", function () {
    Array.prototype.forEach.call(document.querySelectorAll("details.issue, details.sum, details.cause"), function (details) { details.open = true; });
  });
}());
