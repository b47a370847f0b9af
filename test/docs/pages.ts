import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** A fenced block of a page, with the hints in a comment above it. */
export interface Block {
  /** `docs/tenants.md:31`, the line on which the text begins. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
  /** `<!-- fragment: Tenant, refused: network-open -->` as keys and values. */
  readonly hints: ReadonlyMap<string, string>;
}

export interface Page {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** Returns the READMEs of the packages, and all pages below docs/ about the use of the product. */
export function readPages(): Page[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && dirname(path) !== 'adr')
    .map((path) => join('docs', path));
  const readmes = globSync('packages/*/README.md', { cwd: root }).toSorted();
  return ['README.md', ...readmes, ...docs.toSorted()]
    .filter((path) => existsSync(join(root, path)))
    .map(readPage);
}

export function readPage(path: string): Page {
  return parsePage(path, readFileSync(join(root, path), 'utf8'));
}

/** Returns the part of a page below a heading of the second level; lines are counted from there. */
export function readSection(path: string, heading: string): Page {
  const sections = readFileSync(join(root, path), 'utf8').split(/^(?=## )/m);
  const section = sections.find((text) => text.startsWith(`## ${heading}\n`));
  if (section === undefined) throw new Error(`${path} has no section "${heading}"`);
  return parsePage(path, section);
}

function parsePage(path: string, text: string): Page {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    const language = /^```(\w+)$/.exec(lines[i]!)?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf('```', i + 1);
    blocks.push({
      place: `${path}:${i + 2}`,
      language,
      text: `${lines.slice(i + 1, end).join('\n')}\n`,
      hints: hintsOf(lines.slice(0, i).findLast((line) => line !== '')),
    });
    i = end;
  }
  return { path, text, blocks };
}

function hintsOf(line = ''): ReadonlyMap<string, string> {
  const words = /^<!-- (.*) -->$/.exec(line)?.[1] ?? '';
  return new Map(
    words
      .split(', ')
      .map((hint) => hint.split(': ') as [string, string?])
      .map(([k, v]) => [k, v ?? '']),
  );
}
