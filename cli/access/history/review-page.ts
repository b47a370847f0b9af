import { createHash } from 'node:crypto';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { formatNumber } from '../../console-output.ts';
import { reviewRows } from './review-formats.ts';
import type { ReviewedChange } from './review.ts';

const style = `
:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
body { margin: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem; border-bottom: 1px solid #8884; overflow-wrap: anywhere; }
th { position: sticky; top: 0; background: Canvas; }
td:first-child { white-space: nowrap; }
tr[data-change="gained"] td:nth-child(2) { color: #1a7f37; }
tr[data-change="lost"] td:nth-child(2) { color: #cf222e; }
input { font: inherit; padding: 0.3rem; width: 24rem; max-width: 100%; }
@media print { form { display: none; } th { position: static; } body { margin: 0; font-size: 10px; } }
`;

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
  const body = rows.map(
    (cells, i) =>
      `<tr data-change="${changes[i]!.change}">${cells.map((text) => `<td>${escapeHtml(text)}</td>`).join('')}</tr>`,
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
<p>Who gained and lost what: ${formatNumber(changes.length)} changes in ${formatNumber(commits)} commits. Rendered by Tenantry from Git.</p>
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
