import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { renderFleet } from '../../apps/built-in-app.ts';
import { declareFleet } from '../../apps/fleet.ts';
import type { FleetInput } from '../../apps/fleet-input.ts';
import { formatProblem, InvalidInput } from '@tenantry/kube/problem';
import { App } from '../../synth/app.ts';
import type { Summary } from '../../synth/report.ts';
import { RUN, type Run } from '../../synth/run.ts';
import { place, treeOf, type Texts } from '../synth/output/folders.ts';

const apiVersion = 'tenantry.dev/v1alpha1';

/** Returns an object of Tenantry as YAML. JSON is YAML. */
const declare = (kind: string, name: string, spec: object = {}): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: ${JSON.stringify(spec)}\n`;

export const tenant = (name: string, spec?: object) => declare('Tenant', name, spec);
export const tenantClass = (name: string, spec?: object) => declare('TenantClass', name, spec);
export const platform = (spec?: object) => declare('Platform', 'platform', spec);
export const configMap = (name: string, data: object = {}): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

/** The result of a rendering: a summary, or the problems as users read them. */
export interface Rendering {
  readonly summary?: Summary;
  readonly problems: readonly string[];
  /** The warnings. */
  readonly warnings: readonly string[];
  /** The rules of the problems, in the same order. */
  readonly rules: readonly string[];
}

export interface RenderOptions {
  /** Relative to the folder. @default - `dist` */
  readonly out?: string;
  /** The cache folder, relative to the folder. @default - nothing is remembered */
  readonly memory?: string;
  /** The folder of tenants and the platform file. @default - those of this folder */
  readonly tenants?: string;
  readonly platform?: string;
  /** The day for which is rendered. @default - today, since the folder has no commit */
  readonly date?: string;
  /** Render threads. @default - as many as there are cores */
  readonly workers?: number;
  /** Adds to an app in TypeScript after the declared fleet. @default - nothing */
  readonly add?: (app: App) => void;
}

/** Renders like an app in TypeScript that `tenantry` runs. */
function inApp(run: Run, input: FleetInput, add: (app: App) => void): Summary {
  process.env[RUN] = JSON.stringify(run);
  try {
    const app = new App();
    declareFleet(app, input);
    add(app);
    return app.synthesize();
  } finally {
    delete process.env[RUN];
  }
}

/** A folder with `tenants/` and `tenantry.yaml`, rendered in this process. */
export class FleetFolder {
  readonly folder: string;

  constructor(folder: string, texts: Texts) {
    this.folder = folder;
    this.write({ 'tenantry.yaml': platform(), 'tenants/.keep': '', ...texts });
  }

  write(texts: Texts): void {
    place(this.folder, texts);
  }

  remove(path: string): void {
    rmSync(join(this.folder, path), { recursive: true, force: true });
  }

  render({ out = 'dist', memory, workers, date, add, ...input }: RenderOptions = {}): Rendering {
    const at = (path: string) => resolve(this.folder, path);
    const run = {
      tenants: at(input.tenants ?? 'tenants'),
      platform: at(input.platform ?? 'tenantry.yaml'),
      ...(date !== undefined && { date }),
    };
    const settings = {
      mode: 'write',
      out: at(out),
      constructMetadata: false,
      progress: false,
      ...(memory !== undefined && { memory: at(memory) }),
      ...(workers !== undefined && { workers }),
    } as const;
    try {
      const summary = add ? inApp(settings, run, add) : renderFleet(run, settings);
      return { summary, problems: [], warnings: summary.warnings.map(formatProblem), rules: [] };
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      const words = error.problems.map(formatProblem);
      return {
        problems: words.map((word) => word.replaceAll(`${this.folder}/`, '')),
        warnings: error.warnings.map(formatProblem),
        rules: error.problems.map(({ rule }) => rule),
      };
    }
  }

  /** Returns the text of every file of the output, without folders. */
  files(out = 'dist'): Record<string, string> {
    const entries = Object.entries(treeOf(join(this.folder, out)));
    return Object.fromEntries(entries.filter(([, text]) => text !== '/'));
  }

  /** Returns the files of a rendering, which must succeed. */
  rendered(options?: RenderOptions): Record<string, string> {
    const { problems } = this.render(options);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return this.files(options?.out);
  }
}

/** Runs a test with a folder that is removed afterwards. */
export function withFleet<T>(texts: Texts, body: (fleet: FleetFolder) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
  try {
    return body(new FleetFolder(folder, texts));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function inFleet(texts: Texts, body: (fleet: FleetFolder) => void): () => void {
  return () => withFleet(texts, body);
}

/** The files of an output without the names of their sources, by which alone equal fleets may differ. */
export function withoutOrigins(files: Readonly<Record<string, string>>): Record<string, string> {
  const origin = /^((?:#|<!--) Generated by Tenantry) from \S+(?=\. DO NOT EDIT)/;
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, text.replace(origin, '$1')]),
  );
}
