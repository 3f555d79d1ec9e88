"""Small sites that need scripts, and sites with scripts that do not: each the start page of a framework or a library of npm.

`SITES` has for each site the packages with their versions, whether the site needs scripts, and its start page. The packages are
served below `/npm/NAME/`, and `POSTS` as `/posts.js`, a script, and `/README.md`.
"""

import json

POSTS = [
    {"title": f"Crossing {number}", "text": f"On day {number} the ferry left the harbour at seven and came back before the storm, "
     "with fewer passengers than planned, a crate of apples, and a captain who told the story of the lighthouse once more."}
    for number in range(1, 9)
]
MARKDOWN = "# The island ferry\n\n" + "\n\n".join(f"## {post['title']}\n\n{post['text']}" for post in POSTS)
ARTICLES = "".join(f"<article><h2>{post['title']}</h2><p>{post['text']}</p></article>" for post in POSTS)
OPENAPI = {
    "openapi": "3.0.3",
    "info": {"title": "Ferry", "version": "1", "description": " ".join(post["text"] for post in POSTS)},
    "paths": {
        f"/crossings/{number}": {"get": {"summary": post["title"], "description": post["text"], "responses": {"200": {"description": "Found"}}}}
        for number, post in enumerate(POSTS)
    },
}
SPEC = json.dumps(OPENAPI)


def page(body, head=""):
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content=width=device-width>"
        f"<title>The island ferry</title>{head}</head><body>{body}</body></html>"
    )


def script(*paths):
    return "".join(f"<script src=/npm/{path}></script>" for path in paths)


def app(body, *scripts, code="", module=False):
    """A page whose posts a script shows."""
    kind = " type=module" if module else ""
    return page(f"{body}<script src=/posts.js></script>{script(*scripts)}<script{kind}>{code}</script>")


def served(*scripts, body=ARTICLES, code=""):
    """A page whose posts are served; scripts add behaviour."""
    return page(f"<header><h1>The island ferry</h1></header><main>{body}</main>{script(*scripts)}<script>{code}</script>")


REACT = ("react@18.3.1", "react-dom@18.3.1")
REACT_FILES = ("react/umd/react.production.min.js", "react-dom/umd/react-dom.production.min.js")
REACT_LIST = (
    "const h = React.createElement; const App = () => h('main', null, posts.map(post => h('article', {key: post.title}, "
    "h('h2', null, post.title), h('p', null, post.text))));"
)

SITES = {
    # The page is empty, or nearly so, until a script has run.
    "react": (REACT, True, app("<div id=root></div>", *REACT_FILES, code=REACT_LIST + "ReactDOM.createRoot(root).render(h(App));")),
    "vue": (("vue@3.5.13",), True, app(
        "<div id=app></div>", "vue/dist/vue.global.prod.js",
        code="Vue.createApp({data: () => ({posts}), template: '<article v-for=\"post in posts\"><h2>{{post.title}}</h2><p>{{post.text}}</p></article>'}).mount('#app')")),
    "preact": (("htm@3.1.1",), True, app(
        "<div id=app></div>", "htm/preact/standalone.umd.js",
        code="const {html, render} = htmPreact; render(html`<main>${posts.map(post => html`<article><h2>${post.title}</h2><p>${post.text}</p></article>`)}</main>`, app)")),
    "lit": (("lit-html@3.3.1",), True, app(
        "<my-app></my-app>", module=True,
        code="import {html, render} from '/npm/lit-html/lit-html.js'; customElements.define('my-app', class extends HTMLElement {"
             "connectedCallback() { render(html`<main>${posts.map(post => html`<article><h2>${post.title}</h2><p>${post.text}</p></article>`)}</main>`,"
             " this.attachShadow({mode: 'open'})) }})")),
    "mithril": (("mithril@2.3.0",), True, app(
        "<div id=app></div>", "mithril/mithril.min.js",
        code="m.route(app, '/', {'/': {view: () => m('main', posts.map(post => m('article', [m('h2', post.title), m('p', post.text)])))}})")),
    "alpine": (("alpinejs@3.14.9",), True, app(
        "<main x-data><template x-for='post in posts' :key=post.title><article><h2 x-text=post.title></h2><p x-text=post.text></p></article></template></main>",
        "alpinejs/dist/cdn.min.js")),
    "knockout": (("knockout@3.5.1",), True, app(
        "<main data-bind='foreach: posts'><article><h2 data-bind='text: title'></h2><p data-bind='text: text'></p></article></main>",
        "knockout/build/output/knockout-latest.js", code="ko.applyBindings({posts})")),
    "backbone": (("jquery@3.7.1", "underscore@1.13.7", "backbone@1.6.0"), True, app(
        "<main id=app></main>", "jquery/dist/jquery.min.js", "underscore/underscore-umd-min.js", "backbone/backbone-min.js",
        code="const List = Backbone.View.extend({el: '#app', render() { const one = _.template('<article><h2><%- title %></h2><p><%- text %></p></article>');"
             " this.$el.html(posts.map(one).join('')); return this }}); new List().render()")),
    "angularjs": (("angular@1.8.3",), True, app(
        "<main ng-app=ferry ng-controller=list><article ng-repeat='post in posts'><h2 ng-bind=post.title></h2><p ng-bind=post.text></p></article></main>",
        "angular/angular.min.js", code="angular.module('ferry', []).controller('list', ['$scope', scope => { scope.posts = posts }])")),
    "riot": (("riot@10.0.0",), True, app(
        "<app></app><script src=/app.riot type=riot></script>", "riot/riot+compiler.min.js",
        code="(async () => { await riot.compile(); riot.mount('app', {posts}) })()")),
    "hyperapp": (("hyperapp@2.0.22",), True, app(
        "<div id=app></div>", module=True,
        code="import {app as start, h, text} from '/npm/hyperapp/index.js'; start({init: {posts}, node: app, view: state => h('main', {},"
             " state.posts.map(post => h('article', {}, [h('h2', {}, text(post.title)), h('p', {}, text(post.text))])))})")),
    "petite-vue": (("petite-vue@0.4.1",), True, app(
        "<main v-scope><article v-for='post in posts'><h2 v-text=post.title></h2><p v-text=post.text></p></article></main>",
        "petite-vue/dist/petite-vue.iife.js", code="PetiteVue.createApp({posts}).mount()")),
    "marked": (("marked@15.0.12",), True, app(
        "<main id=text></main>", "marked/marked.min.js", code="fetch('/README.md').then(answer => answer.text()).then(source => { text.innerHTML = marked.parse(source) })")),
    "docsify": (("docsify@4.13.1",), True, page(
        "<div id=app></div><script>window.$docsify = {name: 'Ferry'}</script>" + script("docsify/lib/docsify.min.js"))),
    "handlebars": (("handlebars@4.7.8",), True, app(
        "<main id=list></main><script id=one type=text/x-handlebars>{{#each posts}}<article><h2>{{title}}</h2><p>{{text}}</p></article>{{/each}}</script>",
        "handlebars/dist/handlebars.min.js", code="list.innerHTML = Handlebars.compile(one.innerHTML)({posts})")),
    "rapidoc": (("rapidoc@9.3.8",), True, page("<rapi-doc spec-url=/openapi.json></rapi-doc>", script("rapidoc/dist/rapidoc-min.js"))),
    "redoc": (("redoc@2.5.0",), True, page("<div id=app></div>" + script("redoc/bundles/redoc.standalone.js") + f"<script>Redoc.init({SPEC}, {{}}, app)</script>")),
    "elements": (("@stoplight/elements@9.0.1",), True, page(
        "<elements-api apiDescriptionUrl=/openapi.json router=hash></elements-api>", script("@stoplight/elements/web-components.min.js"))),
    "scalar": (("@scalar/api-reference@1.28.33",), True, page(
        "<div id=app></div>" + script("@scalar/api-reference/dist/browser/standalone.js")
        + f"<script>Scalar.createApiReference('#app', {{content: {SPEC}}})</script>")),
    "swagger-ui": (("swagger-ui-dist@5.18.2",), True, page(
        "<div id=app></div>" + script("swagger-ui-dist/swagger-ui-bundle.js") + f"<script>SwaggerUIBundle({{spec: {SPEC}, dom_id: '#app'}})</script>")),
    # The same content is served; scripts add behaviour, or take over what is there.
    "react-hydrated": (REACT, False, page(
        f"<div id=root><main>{ARTICLES}</main></div><script src=/posts.js></script>" + script(*REACT_FILES)
        + f"<script>{REACT_LIST} ReactDOM.hydrateRoot(root, h(App))</script>")),
    "alpine-menu": (("alpinejs@3.14.9",), False, served(
        "alpinejs/dist/cdn.min.js", body=f"<div x-data='{{open: false}}'><button @click='open = !open'>Menu</button><nav x-show=open><a href=/about>About</a></nav></div>{ARTICLES}")),
    "htmx-more": (("htmx.org@2.0.4",), False, served(
        "htmx.org/dist/htmx.min.js", body=f"{ARTICLES}<button hx-get=/more hx-target=this>More crossings</button>")),
    "jquery-tabs": (("jquery@3.7.1",), False, served(
        "jquery/dist/jquery.min.js", body=ARTICLES, code="$('article').hide().first().show(); $('h2').on('click', event => $(event.target).parent().show())")),
    "vue-counter": (("vue@3.5.13",), False, served(
        "vue/dist/vue.global.prod.js", body=f"<div id=likes></div>{ARTICLES}",
        code="Vue.createApp({data: () => ({count: 3}), template: '<button @click=count++>{{count}} likes</button>'}).mount('#likes')")),
}
RIOT = "<app><article each={ post in props.posts }><h2>{ post.title }</h2><p>{ post.text }</p></article></app>"
