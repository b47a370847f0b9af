import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { commandScript } from '../cli/command-client.ts';
import { untilEnd, type Ended } from '../cli/project.ts';
import { place, type Texts } from '../synth/output/folders.ts';
import type { Page } from './pages.ts';

/** Commands on a page, with the output that the page shows for them. */
export interface ShownCommands {
  readonly place: string;
  readonly commands: string;
  /** The text block after them; undefined if there is none. */
  readonly prints: string | undefined;
}

/** Returns the command blocks of a page in order, at any indentation. */
export function shownCommands({ path, text }: Page): ShownCommands[] {
  const blocks = text.matchAll(/^( *)```sh\n(.*?)^ *```\n(?:\n *```text\n(.*?)^ *```$)?/gms);
  return Array.from(blocks, ({ 1: indent = '', 2: commands = '', 3: prints, index }) => {
    const line = text.slice(0, index).split('\n').length + 1;
    const outdented = (shown: string): string =>
      shown.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    return {
      place: `${path}:${line}`,
      commands: outdented(commands),
      prints: prints === undefined ? undefined : outdented(prints),
    };
  });
}

/** Returns whether the output matches what is shown; a line `...` matches any number of lines. */
export function isPrinted(shown: string, printed: string): boolean {
  const parts = shown.split(/^\.\.\.\n/m);
  const [head = ''] = parts;
  if (!printed.startsWith(head)) return false;
  let at = head.length;
  for (const part of parts.slice(1)) {
    const found = printed.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return parts.length > 1 || at === printed.length;
}

/** Writes programs by their names, and makes them executable. */
export function placePrograms(folder: string, texts: Texts): void {
  place(folder, texts);
  for (const name of Object.keys(texts)) chmodSync(join(folder, name), 0o755);
}

/** A shell in a folder, in which `tenantry` is the built command. */
export class Shell {
  readonly folder: string;
  readonly #bin: string;

  /** @param programs further scripts of sh that the pages call, by name */
  constructor(folder: string, programs: Texts = {}) {
    this.folder = folder;
    this.#bin = join(folder, '.bin');
    const scripts = Object.entries(programs);
    const texts = scripts.map(([name, script]) => [name, `#!/bin/sh\n${script}`] as const);
    placePrograms(this.#bin, { tenantry: commandScript(), ...Object.fromEntries(texts) });
  }

  /** Runs commands and stops at the first one that fails. */
  run(commands: string, environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const path = [this.#bin, dirname(process.execPath), process.env['PATH']].join(delimiter);
    const env = {
      ...process.env,
      PATH: path,
      NO_COLOR: '1',
      TENANTRY_CACHE: 'off',
      ...environment,
    };
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    return untilEnd(spawn('sh', ['-ec', commands], { cwd: this.folder, env, stdio: [...stdio] }));
  }
}
