import { existsSync } from 'node:fs';
import { expect } from '@jest/globals';
import { listGenerated } from '../../../synth/output/survey.ts';
import { filesOf, type Texts } from './folders.ts';

/** The files of an output, sorted by path; none where it does not exist. */
export function disk(dist: string): Record<string, string> {
  return existsSync(dist) ? sorted(filesOf(dist)) : {};
}

export function sorted(texts: Texts): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The files that an output says are its own. */
export function listedIn(dist: string): readonly string[] {
  return listGenerated(dist);
}

export interface Interruption {
  readonly earlier: Texts;
  readonly later: Texts;
  /** Files of others, which a run leaves as they are. */
  readonly theirs: Texts;
}

/** What an interrupted run left is the files of others, and old and new ones that all say they are generated. */
export function expectOldOrNew(dist: string, { earlier, later, theirs }: Interruption): void {
  const listed = new Set(listedIn(dist));
  const found = disk(dist);
  for (const [path, text] of Object.entries(found)) {
    const possible = path in theirs ? [theirs[path]] : [earlier[path], later[path]];
    expect(possible).toContain(text);
    expect([path, listed.has(path)]).toEqual([path, !(path in theirs)]);
  }
  expect(Object.keys(found)).toEqual(expect.arrayContaining(Object.keys(theirs)));
}
