/** `/docs/errors`: every code that an answer or a failed operation can carry. `doc_url` of a refusal names its row. */
import { type ErrorCode, FAILURES, type Facade, REFUSALS } from "../../core/surface.ts";

export function writeErrorsPage(actions: Facade["actions"]): string {
  const own = [...actions.values()].flatMap(({ action }) =>
    action.failures
      .filter((code) => !Object.hasOwn(FAILURES, code))
      .map((code) => ({ code, about: action.name, cause: "The message says why", cure: "Change what it names" })),
  );
  const refusals = Object.entries(REFUSALS).map(([code, { status, ...text }]) => ({
    code,
    about: String(status),
    ...text,
  }));
  const failures = Object.entries<ErrorCode>(FAILURES).map(([code, text]) => ({ code, about: "any action", ...text }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Tonwerk: error codes</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css">
</head>
<body class="text">
<h1>Error codes</h1>
<p>A refused request is answered with <code>detail</code>, <code>code</code> and <code>doc_url</code>; nothing was created and nothing was charged.</p>
${table("Refused requests", "Status", refusals, "")}
<p>A failed operation has <code>error.code</code>. Its credits came back, unless it was cancelled after work had begun.</p>
${table("Failed operations", "Of", [...failures, ...own], "failure-")}
</body>
</html>
`;
}

interface Row extends ErrorCode {
  readonly code: string;
  readonly about: string;
}

/** Refusals and failures share some codes, so the anchors of failures begin with a prefix. */
function table(title: string, about: string, rows: readonly Row[], prefix: string): string {
  const lines = rows.map(
    (row) =>
      `<tr id="${prefix}${row.code}"><th scope="row"><code>${row.code}</code></th><td>${escapeHtml(row.about)}</td><td>${escapeHtml(row.cause)}</td><td>${escapeHtml(row.cure)}</td></tr>`,
  );
  return `<table><caption>${title}</caption><thead><tr><th scope="col">Code</th><th scope="col">${about}</th><th scope="col">Cause</th><th scope="col">Cure</th></tr></thead><tbody>
${lines.join("\n")}
</tbody></table>`;
}

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
