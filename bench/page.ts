/**
 * Writes docs/reference/benchmarks.md: the page by `bench:synth`, and a section by each of the other programs. Then
 * writes the overview from it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, release, type } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { MEASUREMENTS, SECTIONS, type Section } from './headings.ts';
import { writeOverview } from './overview/overview.ts';

const PAGE = join(import.meta.dirname, '..', MEASUREMENTS);

/** Writes the page, and keeps the sections of other programs. */
export async function writePage(text: string): Promise<void> {
  const sections = SECTIONS.map((title) => sectionOf(title));
  await write([text, ...sections]);
}

/** Writes a section, with everything below its title, and keeps the rest of the page. */
export async function writeSection(title: Section, text: string): Promise<void> {
  const sections = SECTIONS.map((one) =>
    one === title ? `## ${title}\n\n${text}` : sectionOf(one),
  );
  await write([
    SECTIONS.reduce((page, one) => page.replace(sectionOf(one), ''), read()),
    ...sections,
  ]);
}

/** Describes the machine of the measurements. */
export function machine(): string {
  const [kernel] = release().split('-');
  return `${availableParallelism()} cores, ${type()} ${kernel}, Node ${process.versions.node}`;
}

function read(): string {
  return existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
}

/** Returns a section from its title to the next one; empty where there is none. */
function sectionOf(title: Section): string {
  const page = read();
  const start = page.indexOf(`## ${title}\n`);
  if (start < 0) return '';
  const end = page.indexOf('\n## ', start);
  return end < 0 ? page.slice(start) : page.slice(start, end + 1);
}

async function write(parts: readonly string[]): Promise<void> {
  const style = await resolveConfig(PAGE);
  const text = parts.filter((part) => part !== '').join('\n\n');
  writeFileSync(PAGE, await format(text, { ...style, parser: 'markdown' }));
  await writeOverview();
}
