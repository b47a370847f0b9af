import { mkdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A program named `go` that, asked to build, writes half of the program that it is to write, notes
 * its number in the file `builds`, and, when it is told to wait, writes the rest once the file
 * `go-on` is there.
 */
const source = `#!${process.execPath}
const { appendFileSync, existsSync, writeFileSync } = require('node:fs');
const folder = __dirname;
const output = process.argv[process.argv.indexOf('-o') + 1];
writeFileSync(output, 'half', { mode: 0o755 });
appendFileSync(folder + '/builds', process.pid + '\\n');
if (existsSync(folder + '/fails')) {
  console.error('go: downloading example.com v1.0.0\\nmain.go:1: it must build, got errors');
  process.exit(1);
}
const timer = setInterval(() => {
  if (existsSync(folder + '/waits') && !existsSync(folder + '/go-on')) return;
  clearInterval(timer);
  writeFileSync(output, 'whole');
}, 10);
`;

/** A folder with a `go` in it, and an environment in which a search finds nothing but this `go`. */
export class FakeGo {
  readonly #folder: string;
  readonly env: NodeJS.ProcessEnv;

  /** `folder` must be there and empty. */
  constructor(folder: string) {
    this.#folder = join(folder, 'bin');
    mkdirSync(this.#folder);
    writeFileSync(join(this.#folder, 'go'), source, { mode: 0o755 });
    this.env = {
      PATH: this.#folder,
      XDG_CACHE_HOME: join(folder, 'cache'),
      TENANTRY_ENVTEST_INDEX: 'http://127.0.0.1:1/envtest-releases.yaml',
    };
  }

  /** 'fails', 'waits' or 'go-on' */
  set(mark: 'fails' | 'waits' | 'go-on'): void {
    writeFileSync(join(this.#folder, mark), '');
  }

  /** The numbers of the processes that were asked to build; of the file there may be only the name yet. */
  builds(): number[] {
    const file = join(this.#folder, 'builds');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').match(/^\d+$/gm) : null;
    return (lines ?? []).map(Number);
  }
}
