import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pages.ts';

/** A test that a page names by its title. */
export interface NamedTest {
  readonly title: string;
  /** Relative to the root of the repository. */
  readonly file: string;
}

/** Returns the list items of a page in docs/ that consist of a link to a test. */
export function namedTests(text: string): NamedTest[] {
  return [
    ...text.matchAll(/^ *- \[([^\]]+)\]\(\.\.\/((?:packages\/[\w-]+\/)?test\/[^)]+)\)$/gm),
  ].map(([, title = '', file = '']) => ({ title, file }));
}

/**
 * Returns whether the file has a test with this title: the first argument of a call of `test`, under any local name.
 */
export function isThere({ title, file }: NamedTest): boolean {
  const text = readFileSync(join(root, file), 'utf8');
  const titles = text.matchAll(/^ *\w*[tT]est\w*\(\s*'([^'\n]+)',/gm);
  return [...titles].some(([, one]) => one === title);
}
