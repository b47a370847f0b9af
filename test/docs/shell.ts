import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { commandScript } from '../cli/command-client.ts';
import { untilEnd, type Ended } from '../cli/project.ts';
import { place, type Texts } from '../synth/output/folders.ts';
import type { Page } from './pages.ts';

/** Commands as a page has them, and what it says that they print. */
export interface ShownCommands {
  readonly place: string;
  readonly commands: string;
  /** The block of text behind them; undefined where there is none. */
  readonly prints: string | undefined;
}

/** The blocks of commands of a page, in their order, wherever they are indented to. */
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

/** Whether that was printed; a line `...` stands for any number of lines. */
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

/** Makes programs of texts, by their names. */
export function placePrograms(folder: string, texts: Texts): void {
  place(folder, texts);
  for (const name of Object.keys(texts)) chmodSync(join(folder, name), 0o755);
}

/** A shell in a folder, in which `tenantry` is the command that was built. */
export class Shell {
  readonly folder: string;
  readonly #bin: string;

  /** @param programs scripts of sh by their names: what the pages call besides */
  constructor(folder: string, programs: Texts = {}) {
    this.folder = folder;
    this.#bin = join(folder, '.bin');
    const scripts = Object.entries(programs);
    const texts = scripts.map(([name, script]) => [name, `#!/bin/sh\n${script}`] as const);
    placePrograms(this.#bin, { tenantry: commandScript(), ...Object.fromEntries(texts) });
  }

  /** Ends at the first command that fails. */
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
