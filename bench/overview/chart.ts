import { number } from '../goal.ts';

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Whether the bar is Tenantry's own. */
  readonly isOurs: boolean;
}

export interface Chart {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}

const WIDTH = 720;
const LABELS = 230;
const VALUES = 70;
const TOP = 56;
const ROW = 30;

/** The background is part of the chart, so that it is readable on a page of any color. */
const STYLE = `
    svg { font: 14px system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; }
    .page { fill: #ffffff; stroke: #d0d7de; }
    text { fill: #1f2328; }
    .title { font-size: 16px; font-weight: 600; }
    .label { text-anchor: end; }
    .peer { fill: #8c959f; }
    .ours { fill: #1a7f37; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; stroke: #30363d; }
      text { fill: #e6edf3; }
      .peer { fill: #6e7681; }
      .ours { fill: #3fb950; }
    }`;

/** Draws horizontal bars, the shortest first. */
export function drawChart({ title, unit, bars }: Chart): string {
  const sorted = bars.toSorted((a, b) => a.value - b.value);
  const longest = Math.max(...sorted.map(({ value }) => value));
  const height = TOP + sorted.length * ROW + 14;
  const values = sorted.map(({ label, value }) => `${label}: ${number(value)} ${unit}`);
  const rows = sorted.map((bar, i) => drawBar(bar, unit, TOP + i * ROW, longest));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title values">
  <title id="title">${escapeXml(title)}</title>
  <desc id="values">${escapeXml(values.join('; '))}</desc>
  <style>${STYLE}
  </style>
  <rect class="page" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="6"/>
  <text class="title" x="20" y="32">${escapeXml(title)}</text>
${rows.join('\n')}
</svg>
`;
}

function drawBar({ label, value, isOurs }: Bar, unit: string, top: number, longest: number) {
  const length = ((WIDTH - LABELS - VALUES) * value) / longest;
  const baseline = top + 16;
  return [
    `  <text class="label" x="${LABELS - 10}" y="${baseline}">${escapeXml(label)}</text>`,
    `  <rect class="${isOurs ? 'ours' : 'peer'}" x="${LABELS}" y="${top}" width="${length.toFixed(1)}" height="22" rx="2"/>`,
    `  <text x="${(LABELS + length + 8).toFixed(1)}" y="${baseline}">${number(value)} ${escapeXml(unit)}</text>`,
  ].join('\n');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
