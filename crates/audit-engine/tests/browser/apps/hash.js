// Routes are fragments: there is one address for the server.
const pages = {
  "/": ["Recipes", "Pick one."],
  "/bread": ["Bread", "Flour, water, salt and time."],
  "/soup": ["Soup", "Carrots, ginger and patience."],
};

function show() {
  const [title, text] = pages[location.hash.slice(1) || "/"] ?? ["Not found", ""];
  document.title = `${title} – Kitchen`;
  const links = Object.keys(pages).map((route) => `<a href="#${route}">${pages[route][0]}</a> `).join("");
  document.getElementById("app").innerHTML =
    `<nav>${links}<a href="#app">Skip</a></nav><main><h1>${title}</h1><p>${text}</p></main>`;
}

addEventListener("hashchange", show);
fetch("/data.json").then((answer) => answer.json()).then(show);
