// The server writes the body, a script the head.
const heads = {
  "/": { title: "Museum" },
  "/tickets": { title: "Tickets", canonical: "/" },
  "/internal": { title: "Internal", robots: "noindex" },
};
const { title, canonical, robots } = heads[location.pathname];
document.title = title;
if (canonical) {
  const link = Object.assign(document.createElement("link"), { rel: "canonical", href: canonical });
  document.head.append(link);
}
if (robots) {
  const meta = Object.assign(document.createElement("meta"), { name: "robots", content: robots });
  document.head.append(meta);
}
