import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { until } from '@tenantry/testing/waiting/until';
import { testUnless } from '../skipping.ts';
import { commandLine, type Project } from './project.ts';

/** A test of what somebody sees and types, where the machine has `script` of util-linux to make terminals. */
export const testOnTerminal = testUnless(
  spawnSync('script', ['-qec', 'test -t 0 && test -t 2', '/dev/null']).status === 0
    ? undefined
    : 'there is no script of util-linux',
);

export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';

/** A run of the command line at a terminal. */
export class Terminal {
  /** The exit code. */
  readonly ended: Promise<number | null>;
  /** All that was printed, without what moves the cursor. */
  shown = '';
  readonly #type: (text: string) => void;
  #seen = 0;

  constructor(
    project: Project,
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ) {
    const words = [process.execPath, commandLine, ...args].map(
      (word) => `'${word.replaceAll("'", `'\\''`)}'`,
    );
    const child = project.startTyping('script', ['-qec', words.join(' '), '/dev/null'], {
      SHELL: '/bin/sh',
      NO_COLOR: '1',
      ...environment,
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      // oxlint-disable-next-line no-control-regex
      this.shown += text.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replaceAll('\r', '');
    });
    this.#type = (text) => child.stdin.write(text);
    this.ended = once(child, 'close').then(([code]) => code as number | null);
  }

  /** Waits until this is shown, after what was waited for before, and types. */
  async answer(prompt: string, text: string): Promise<void> {
    await until(`${JSON.stringify(prompt)} is shown`, () => {
      const at = this.shown.indexOf(prompt, this.#seen);
      if (at < 0) return false;
      this.#seen = at + prompt.length;
      return true;
    });
    this.#type(text);
  }
}
