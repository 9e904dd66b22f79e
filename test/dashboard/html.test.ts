import assert from "node:assert/strict";
import { test } from "node:test";
import { attributes, type Html, html, type Value } from "../../plugins/dashboard/html.ts";

const NASTY = `"><script>alert(1)</script>'&<img src=x onerror=alert(1)>`;
const SAFE = "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;&lt;img src=x onerror=alert(1)&gt;";

test("html escapes for the place that a hole stands in", () => {
  const cases: readonly (readonly [what: string, made: Html, expected: string])[] = [
    ["text", html`<p>${NASTY}</p>`, `<p>${SAFE}</p>`],
    ["double quotes", html`<p title="${NASTY}"></p>`, `<p title="${SAFE}"></p>`],
    ["single quotes", html`<p title='${NASTY}'></p>`, `<p title='${SAFE}'></p>`],
    ["several in one value", html`<p class="a ${"b"} ${'"c'}"></p>`, `<p class="a b &quot;c"></p>`],
    ["markup stays", html`<p>${html`<b>${"<"}</b>`}</p>`, "<p><b>&lt;</b></p>"],
    ["lists", html`<ul>${["<", html`<li>1</li>`, 2, null]}</ul>`, "<ul>&lt;<li>1</li>2</ul>"],
    ["nothing", html`<p>${null}${undefined}${false}${""}</p>`, "<p></p>"],
    ["zero is something", html`<p>${0}</p>`, "<p>0</p>"],
    ["a segment of an address", html`<a href="/a/${"../b?c#d&e"}">x</a>`, `<a href="/a/..%2Fb%3Fc%23d%26e">x</a>`],
    ["a whole address", html`<a href="${"/a?b=1&c=2"}">x</a>`, `<a href="/a?b=1&amp;c=2">x</a>`],
    [
      "attributes",
      html`<input ${attributes({ name: NASTY, required: true, disabled: false, max: 3, min: null })}>`,
      `<input  name="${SAFE}" required max="3">`,
    ],
    [
      "attributes with an address",
      html`<a ${attributes({ href: "javascript:alert(1)" })}>x</a>`,
      `<a  href="about:invalid">x</a>`,
    ],
    ["text after a quoted >", html`<p title="a > b">${"<"}</p>`, `<p title="a > b">&lt;</p>`],
    [
      "a loaded script",
      html`<script type="module" src="${"/x.mjs"}"></script>`,
      `<script type="module" src="/x.mjs"></script>`,
    ],
  ];
  for (const [what, made, expected] of cases) assert.equal(made.text, expected, what);
});

test("html lets no address lead to a script or to another scheme", () => {
  const refused = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "//evil.example/x",
    "/\\evil.example",
    "\\\\evil.example",
    "blob:https://x/y",
    "file:///etc/passwd",
    "",
  ];
  for (const address of refused) {
    assert.equal(html`<a href="${address}">x</a>`.text, `<a href="about:invalid">x</a>`, JSON.stringify(address));
    assert.equal(html`<form action="${address}"></form>`.text, `<form action="about:invalid"></form>`);
  }
  for (const address of ["/a", "#top", "?page=2", "https://example.com/a", "http://127.0.0.1:8787/x"]) {
    assert.equal(html`<a href="${address}">x</a>`.text, `<a href="${address}">x</a>`);
  }
});

test("html refuses a template that no escaping makes safe", () => {
  const cases: readonly (readonly [what: string, make: (value: string) => Html])[] = [
    ["an unquoted value", (value) => html`<p title=${value}></p>`],
    ["a tag's name", (value) => html`<${value}>`],
    ["part of a tag's name", (value) => html`<h${value}></h1>`],
    ["part of an attribute's name", (value) => html`<p data-${value}="1"></p>`],
    ["an attribute", (value) => html`<p ${value}></p>`],
    ["a comment", (value) => html`<!-- ${value} -->`],
    ["an inline script", (value) => html`<script>${value}</script>`],
    ["an inline style", (value) => html`<style>${value}</style>`],
    ["a style attribute", (value) => html`<p style="color: ${value}"></p>`],
    ["a handler", (value) => html`<p onclick="${value}"></p>`],
    ["a handler among attributes()", (value) => html`<p ${attributes({ onclick: value })}></p>`],
    ["a list of addresses", (value) => html`<img srcset="${value}">`],
    ["a template without an end", (value) => html`<p title="${value}`],
    ["a bare less-than", (value) => html`a < b ${value}`],
    ["a name from outside", () => html`<p ${attributes({ "x onload=alert(1)": "1" })}></p>`],
  ];
  for (const [what, make] of cases) assert.throws(() => make("x"), TypeError, what);
});

test("every address of a list is looked at", () => {
  const made = (srcset: string) => html`<img ${attributes({ srcset })}>`.text;
  assert.equal(made("/a 1x, /b 2x"), `<img  srcset="/a 1x, /b 2x">`);
  assert.equal(made("/a 1x, javascript:alert(1) 2x"), `<img  srcset="/a 1x, about:invalid 2x">`);
  assert.equal(made("/a 1x,javascript:alert(1) 2x"), `<img  srcset="about:invalid">`);
  assert.equal(made(`/a" onerror="alert(1) 1x`), `<img  srcset="about:invalid">`);
});

test("only what html made is markup", () => {
  const forged = { text: "<script>", toString: () => "<script>" } as unknown as Value;
  assert.throws(() => html`<p>${forged}</p>`);
  assert.throws(() => html`<p title="${html`<b></b>`}"></p>`, TypeError);
});
