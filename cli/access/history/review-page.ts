import { createHash } from 'node:crypto';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { count, formatNumber } from '../../console-output.ts';
import { reviewRows } from './review-formats.ts';
import type { ReviewedChange } from './review.ts';

/** A word breaks only where it is longer than its column can be, so that names stay readable. */
const style = `
:root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
body { margin: 2rem; }
h1 { font-size: 1.6rem; margin: 0 0 0.3rem; }
p { margin: 0 0 1.4rem; }
form, label { display: flex; align-items: center; gap: 0.7rem; }
form { margin-bottom: 1rem; }
input { font: inherit; padding: 0.35rem 0.5rem; width: min(24rem, 60vw); border: 1px solid #8888; border-radius: 4px; }
input:focus-visible { outline: 2px solid light-dark(#0969da, #58a6ff); border-color: transparent; }
p, output { color: light-dark(#57606a, #9aa4ae); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.7rem; }
th { position: sticky; top: 0; background: Canvas; box-shadow: inset 0 -1px #888; font-size: 0.85em; white-space: nowrap; }
td { border-bottom: 1px solid #8883; max-width: 22rem; overflow-wrap: break-word; }
.date, .change, .commit { white-space: nowrap; }
.commit { font-family: ui-monospace, monospace; }
tbody tr:hover { background: #8881; }
.change { font-weight: 600; }
tr[data-change="gained"] .change { color: light-dark(#1a7f37, #3fb950); }
tr[data-change="lost"] .change { color: light-dark(#cf222e, #f85149); }
@media print { form { display: none; } th { position: static; } body { margin: 0; font-size: 10px; } }
`;

/** The columns that the style names. */
const styled: ReadonlySet<string> = new Set(['DATE', 'CHANGE', 'COMMIT']);

/** Hides the rows that do not have every word of the search. It contains no data. */
const script = `
const input = document.querySelector('input');
const shown = document.querySelector('output');
const rows = Array.from(document.querySelectorAll('tbody tr'), (row) => [row, row.textContent.toLowerCase()]);
function search() {
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  for (const [row, text] of rows) {
    row.hidden = !words.every((word) => text.includes(word));
    if (!row.hidden) count += 1;
  }
  shown.textContent = count + ' of ' + rows.length;
}
input.addEventListener('input', search);
document.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
search();
`;

const hash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows the style and the script of the page, and no request to any network. */
const POLICY = [
  "default-src 'none'",
  `style-src ${hash(style)}`,
  `script-src ${hash(script)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** What a page is about. */
export interface PageTitle {
  readonly since: string;
  readonly until: string;
  readonly commits: number;
}

/**
 * Builds a page with the changes that needs nothing else: it can be searched, printed and archived. All texts are escaped,
 * and it contacts no network.
 */
export function buildPage(
  changes: readonly ReviewedChange[],
  { since, until, commits }: PageTitle,
): string {
  const { head, rows } = reviewRows(changes);
  const title = `Access from ${since} to ${until}`;
  const classes = head.map((title) => (styled.has(title) ? ` class="${title.toLowerCase()}"` : ''));
  const countOf = (kind: ReviewedChange['change']): number =>
    changes.filter(({ change }) => change === kind).length;
  const body = rows.map(
    (cells, i) =>
      `<tr data-change="${changes[i]!.change}">${cells.map((text, at) => `<td${classes[at]}>${escapeHtml(text)}</td>`).join('')}</tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>${formatNumber(countOf('gained'))} gained, ${formatNumber(countOf('lost'))} lost, in ${count(commits, 'commit')}. Rendered by Tenantry from Git.</p>
<form><label>Search <input type="search" autofocus></label> <output></output></form>
<table>
<thead><tr>${head.map((one) => `<th>${escapeHtml(one)}</th>`).join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table>
<script>${script}</script>
</body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML. Characters that nobody sees, such as those that reverse a text, are made visible. */
function escapeHtml(text: string): string {
  return escapeForTerminal(text).replaceAll(/[&<>"']/g, (one) => entities[one]!);
}
