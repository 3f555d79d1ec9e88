// Routes are paths: the server sends the same shell for each, and links change the address without a request.
const pages = {
  "/": ["Ferries", "Where do you want to go?"],
  "/routes": ["Routes", "Two islands are served all year."],
  "/routes/north": ["North island", "The crossing takes forty minutes."],
  "/routes/south": ["South island", "The crossing takes an hour."],
  "/about": ["About us", "We have sailed since 1904."],
};

function show() {
  const [title, text] = pages[location.pathname] ?? ["Not found", "There is no such page."];
  document.title = `${title} – Island Line`;
  const links = Object.keys(pages)
    .map((path) => `<li><a href="${path}">${pages[path][0]}</a></li>`)
    .join("");
  document.getElementById("app").innerHTML =
    `<nav><ul>${links}</ul></nav><main><h1>${title}</h1><p>${text}</p></main>`;
}

addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (link) {
    event.preventDefault();
    history.pushState(null, "", link.href);
    show();
  }
});
addEventListener("popstate", show);
// Content arrives after the page has loaded.
setTimeout(show, 50);
