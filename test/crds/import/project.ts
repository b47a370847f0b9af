import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { importDefinitions } from '../../../crds/import/definitions.ts';
import type { ImportedModule } from '../../../crds/import/module.ts';
import { readDefinitions } from '../../../crds/manifests.ts';
import { place } from '../../synth/output/folders.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const sources = { tenantry: 'index.ts', 'tenantry/schema': 'schema/language.ts' };

/** A CustomResourceDefinition with one version; `schema` is that of the whole object. */
export function crd(schema: object, spec: object = {}): object {
  const names = { kind: 'Box', plural: 'boxes' };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
  const whole = { group: 'example.com', names, scope: 'Namespaced', versions: [version], ...spec };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${whole.names.plural}.${whole.group}` },
    spec: whole,
  };
}

/** The module of a manifest, which has no problem. */
export function imported(manifest: object): ImportedModule {
  const { definitions, problems } = readDefinitions('crd.json', JSON.stringify(manifest));
  const found = definitions.map((located) => ({ located, source: 'crd.json' }));
  const result = importDefinitions(found);
  const [problem] = [...problems, ...result.problems];
  if (problem) throw new Error(`${problem.path} ${problem.message}`);
  return result.modules[0]!;
}

/** The types of a schema of a field `spec`, without notes and without the whole object. */
export function typesOf(spec: object): string {
  const { text } = imported(crd({ type: 'object', properties: { spec } }));
  const types = text.slice(text.indexOf('export interface BoxInput'), text.indexOf('// prettier'));
  return types
    .replaceAll(/^ *\/\*\*[^]*?\*\/\n/gm, '')
    .replace(/^export interface Box(?:Input|Stored) \{[^}]*\}\n\n/, '')
    .replace(/^export interface BoxStored \{[^}]*\}\n\n/, '')
    .trim();
}

/** Whether the types of a module, its comments and literals aside, say `any` somewhere. */
export function hasAny(text: string): boolean {
  const code = text
    .slice(0, text.indexOf('// prettier-ignore'))
    .replaceAll(/\/\*[^]*?\*\/|\/\/.*|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g, '');
  return /\bany\b(?!\??:)/.test(code);
}

/** A folder of somebody who imported: its TypeScript can be checked and run. */
export class ImportProject {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tenantry import-'));

  /** Where 'tenantry' is the sources of this repository. */
  constructor(files: Readonly<Record<string, string>>) {
    const modules = join(this.#folder, 'node_modules');
    mkdirSync(join(modules, 'tenantry'), { recursive: true });
    for (const name of ['cdk8s', 'constructs', '@types']) {
      symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
    }
    const door = (source: string): string =>
      `export * from ${JSON.stringify(pathToFileURL(join(root, source)).href)};\n`;
    place(this.#folder, {
      'package.json': '{ "type": "module" }\n',
      'node_modules/tenantry/package.json': JSON.stringify({
        name: 'tenantry',
        type: 'module',
        exports: { '.': './index.js', './schema': './schema.js' },
      }),
      'node_modules/tenantry/index.js': door(sources.tenantry),
      'node_modules/tenantry/schema.js': door(sources['tenantry/schema']),
      'tsconfig.json': JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: {
          paths: Object.fromEntries(
            Object.entries(sources).map(([name, source]) => [name, [join(root, source)]]),
          ),
        },
        include: ['**/*.ts'],
      }),
      ...files,
    });
  }

  /** What the compiler says of these files under the strictest options; empty when it is content. */
  async compile(): Promise<string> {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const said = await this.#node(tsc, '-p', 'tsconfig.json', '--pretty', 'false');
    // Sources of ours that are wrong are found by their own check.
    return said
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('..'))
      .join('\n');
  }

  /** What a file prints. */
  run(file: string): Promise<string> {
    return this.#node(file);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #node(...args: readonly string[]): Promise<string> {
    const execute = promisify(execFile);
    const options = { cwd: this.#folder, maxBuffer: 2 ** 28 };
    try {
      return (await execute(process.execPath, args, options)).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      if (stderr !== '') throw new Error(`${args.join(' ')} failed:\n${stderr}`, { cause: error });
      return stdout;
    }
  }
}
