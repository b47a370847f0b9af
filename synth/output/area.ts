import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, lockOf, writerOf } from './lock.ts';

/** The files of one writer in the staging area, under names that no other writer uses. */
export class Stage {
  /** The staged files, with their paths in the output. */
  readonly staged: string;
  /** The same folder, renamed, from the start of the swap. */
  readonly swap: string;

  constructor(area: string, id: string) {
    this.staged = join(area, `staged.${id}`);
    this.swap = join(area, `swap.${id}`);
  }

  /** @param isEmpty whether nothing was staged, so that the swap only removes */
  beginSwap(isEmpty: boolean): void {
    if (isEmpty) mkdirSync(this.swap);
    else renameSync(this.staged, this.swap);
  }

  /** Removes links in the folders without following them. */
  drop(): void {
    for (const path of [this.staged, this.swap]) rmSync(path, { recursive: true, force: true });
  }
}

/** The content of a staging area. */
export interface AreaContents {
  /** The ids of writers that were killed. */
  readonly dead: readonly string[];
  /** Whether one of them was killed in its swap. */
  readonly interrupted: boolean;
  /** Names of entries that no writer created. */
  readonly unexpectedNames: readonly string[];
}

const NAME = /^(?:lock|staged|swap)\.(.+)$/;

/** Reads a staging area, which need not exist. */
export function lookAt(area: string): AreaContents {
  if (lstatSync(area, { throwIfNoEntry: false }) === undefined) {
    return { dead: [], interrupted: false, unexpectedNames: [] };
  }
  const names = readdirSync(area);
  const writers = names.flatMap((name) => writerOf(area, name) ?? []);
  const ids = new Set(writers.map(({ id }) => id));
  const dead = writers.filter((writer) => !isAlive(writer)).map(({ id }) => id);
  // A writer that ends meanwhile removes its files; they must not be reported.
  const isThere = (name: string) =>
    lstatSync(join(area, name), { throwIfNoEntry: false }) !== undefined;
  const unexpectedNames = names.filter(
    (name) => !ids.has(NAME.exec(name)?.[1] ?? '') && isThere(name),
  );
  return {
    dead,
    interrupted: dead.some((id) => existsSync(new Stage(area, id).swap)),
    unexpectedNames: unexpectedNames.toSorted(),
  };
}

/** Removes the files of killed writers, each lock last, so that an interrupted sweep can be resumed. */
export function sweep(area: string): void {
  for (const id of lookAt(area).dead) {
    new Stage(area, id).drop();
    rmSync(join(area, lockOf(id)), { force: true });
  }
}
