import { mkdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A stand-in for `go`. `go build` writes half of its output and its process id to the file `builds`. It writes the rest
 * immediately, or, if the file `waits` exists, once the file `go-on` exists.
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

/** A folder with a fake `go`, and an environment in which no other `go` is found. */
export class FakeGo {
  readonly #folder: string;
  readonly env: NodeJS.ProcessEnv;

  /** `folder` must exist and be empty. */
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

  /** Sets a mark: 'fails' makes builds fail, 'waits' makes them wait, 'go-on' ends the wait. */
  set(mark: 'fails' | 'waits' | 'go-on'): void {
    writeFileSync(join(this.#folder, mark), '');
  }

  /** Returns the ids of the processes that started a build. A line that is not yet complete is ignored. */
  builds(): number[] {
    const file = join(this.#folder, 'builds');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').match(/^\d+$/gm) : null;
    return (lines ?? []).map(Number);
  }
}
