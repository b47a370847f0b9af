import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownDefinition } from '../constructs/tenant/declaration.ts';
import { readDefinition } from '../crds/read-definition.ts';
import type { PlatformSpec } from '../crds/tenantry/platform.ts';
import { errorAt, type Finding } from '../kube/finding.ts';
import { isMapping } from '../kube/mapping.ts';
import { show, type Problem } from '../kube/problem.ts';
import { readDocuments } from '../kube/yaml/read.ts';
import { contentHash } from '../synth/output/stat-index.ts';
import { natureOf } from './declaration-folder.ts';

/** What a platform learns from one CustomResourceDefinition. */
interface Defined {
  readonly kind: NonNullable<PlatformSpec['kinds']>[number];
  /** Present if tenants may have objects of the kind. */
  readonly definition?: KnownDefinition;
}

export interface ReadCrdFiles {
  readonly defined: readonly Defined[];
  readonly problems: readonly Problem[];
}

/**
 * Reads the definitions in the files and folders that a platform names in `crdFiles`.
 * @param folder the folder of the platform file
 * @param placed adds the place in the platform file to a finding
 */
export function readCrdFiles(
  paths: readonly string[],
  folder: string,
  placed: (finding: Finding) => Problem,
): ReadCrdFiles {
  const problems: Problem[] = [];
  const defined = paths.flatMap((path, i) => {
    try {
      return yamlFiles(folder, path).flatMap(definitionsIn);
    } catch (cause) {
      const message = `must be a file or folder of CustomResourceDefinitions, got ${show(path)}: ${(cause as Error).message}`;
      problems.push(placed(errorAt(['spec', 'crdFiles', i], message, 'file')));
      return [];
    }
  });
  return { defined, problems };
}

/**
 * Lists the YAML files at a path below a folder. Symbolic links are refused: the people who may
 * write their target are not necessarily those who may define the scope of kinds.
 */
function yamlFiles(folder: string, path: string): string[] {
  const whole = join(folder, path);
  if (realpathSync(whole) !== join(realpathSync(folder), path).replace(/\/$/, '')) {
    throw new Error(`${whole} must not be, or lie behind, a symbolic link`);
  }
  const found = statSync(whole);
  if (found.isFile()) return [whole];
  if (!found.isDirectory()) throw new Error(`${whole} must be a file or a folder`);
  return readdirSync(whole, { withFileTypes: true })
    .filter(({ name }) => /\.ya?ml$/.test(name))
    .map((entry) => {
      const file = join(whole, entry.name);
      if (!entry.isFile()) throw new Error(`${file} must be a file, got ${natureOf(entry)}`);
      return file;
    })
    .toSorted();
}

function definitionsIn(file: string): Defined[] {
  const text = readFileSync(file, 'utf8');
  const { documents, problems } = readDocuments(text);
  const [problem] = problems;
  if (problem) throw new Error(`${file}:${problem.line}:${problem.column} ${problem.message}`);
  const digest = contentHash(text);
  return documents.flatMap(({ value, index }): Defined[] => {
    if (!isMapping(value) || value['kind'] !== 'CustomResourceDefinition') return [];
    const spec = isMapping(value['spec']) ? value['spec'] : {};
    const names = isMapping(spec['names']) ? spec['names'] : {};
    const { group, scope } = spec;
    const { kind } = names;
    if (typeof group !== 'string' || typeof kind !== 'string') {
      throw new Error(`${file} holds a CustomResourceDefinition without group or kind`);
    }
    if (scope !== 'Namespaced') return [{ kind: { group, kind, scope: 'Cluster' } }];
    let read: ReturnType<typeof readDefinition> | undefined;
    const definition: KnownDefinition = {
      group,
      kind,
      digest: `${digest} ${index}`,
      read: () => (read ??= readDefinition(value)),
    };
    return [{ kind: { group, kind, scope, ...pathOf(names, spec) }, definition }];
  });
}

/** The plural and the storage version by which objects of the kind are requested. */
function pathOf(
  { plural }: Readonly<Record<string, unknown>>,
  { versions }: Readonly<Record<string, unknown>>,
): { readonly plural?: string; readonly version?: string } {
  const all: readonly unknown[] = Array.isArray(versions) ? versions : [];
  const stored = all.filter(isMapping).find(({ storage }) => storage === true);
  const version = stored?.['name'];
  if (typeof plural !== 'string' || typeof version !== 'string') return {};
  return { plural, version };
}
