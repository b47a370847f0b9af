import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pages.ts';

/** A test that a page names by its title. */
export interface NamedTest {
  readonly title: string;
  /** From the root of the repository. */
  readonly file: string;
}

/** Items of lists that are a link to a test of a page in docs/, and nothing else. */
export function namedTests(text: string): NamedTest[] {
  return [...text.matchAll(/^ *- \[([^\]]+)\]\(\.\.\/(test\/[^)]+)\)$/gm)].map(
    ([, title = '', file = '']) => ({ title, file }),
  );
}

/** Whether the file has a test of this title: the first argument of a call of `test`, whatever it is called there. */
export function isThere({ title, file }: NamedTest): boolean {
  const text = readFileSync(join(root, file), 'utf8');
  const titles = text.matchAll(/^ *\w*[tT]est\w*\(\s*'([^'\n]+)',/gm);
  return [...titles].some(([, one]) => one === title);
}
