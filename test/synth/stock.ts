import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'cdk8s';
import type { AppProps } from 'cdk8s';
import { renderCharts } from '../../synth/charts.ts';

/** The YAML parser that cdk8s itself depends on. */
const yaml = createRequire(import.meta.resolve('cdk8s'))('yaml') as {
  parseAllDocuments(text: string, options: object): { toJSON(): unknown }[];
};

export type Declare = (app: App) => void;
export type Files = Record<string, unknown[]>;

/** What `app.synth()` of cdk8s writes, read back: documents by path, with the key order kept. */
export function stockFiles(declare: Declare, props: AppProps = {}): Files {
  const outdir = mkdtempSync(join(tmpdir(), 'stock-'));
  try {
    const app = new App({ ...props, outdir });
    declare(app);
    app.synth();
    const files: Files = {};
    for (const entry of readdirSync(outdir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const documents = yaml.parseAllDocuments(readFileSync(path, 'utf8'), { version: '1.1' });
      files[path.slice(outdir.length + 1)] = documents
        .map((d) => d.toJSON())
        .filter((d) => d !== null);
    }
    return files;
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

export function ourFiles(declare: Declare, props: AppProps = {}): Files {
  const app = new App(props);
  declare(app);
  const files: Files = {};
  for (const file of renderCharts(app)) files[file.path] = asJson([...file.objects]);
  return files;
}

/** As it is once written: no undefined. */
export function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Equal including the order of keys, which a deep comparison does not see. */
export function text(value: unknown): string {
  return JSON.stringify(value, null, 1);
}
