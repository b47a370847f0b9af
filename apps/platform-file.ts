import { readFileSync, statSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readDeclarations } from '../crds/declarations.ts';
import { type Problem, show } from '@tenantry/kube/problem';
import { errorAt, type Finding } from '@tenantry/kube/finding';
import { platform as kind, type PlatformSpec } from '../crds/platform.ts';
import type { Platform, KnownDefinition } from '../model/declaration.ts';
import { validateComparedKinds } from '../model/compared-kinds.ts';
import { applyPlatformDefaults, resolvePlatform } from '../model/platform.ts';
import { validatePlatform } from '../model/rules/platform.ts';
import { validateServerSideDiff } from '../model/stored-form.ts';
import { decodeUtf8 } from '@tenantry/kube/utf8';
import { readDefinition } from '@tenantry/crd/read-definition';
import { isMapping } from '@tenantry/kube/mapping';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { contentHash } from '../synth/output/stat-index.ts';
import { describeEntry } from './declaration-folder.ts';
import { findMisnamedFile } from './misnamed-file.ts';

/** Converts a finding about the Platform into a problem with its place in the file. */
export type PlatformPlace = (finding: Finding) => Problem;

/** The platform of a file, and its problems. */
interface PlatformFile {
  readonly platform: Platform;
  /** Absent where there is no Platform. */
  readonly place?: PlatformPlace;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly crdFiles: readonly string[];
  /** The text of the file; absent if it cannot be read. */
  readonly text?: string;
}

/**
 * Reads the platform of a file. Without the file it returns an empty platform, unless `mustExist`, or unless a file with
 * another ending is there.
 * If the file is no Platform, or names a file that cannot be read, the result has problems and
 * holds only what could be read.
 */
export function readPlatform(
  file: string,
  { mustExist }: { readonly mustExist: boolean },
): PlatformFile {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) {
    const message = `must be a file with a Platform, got ${found ? 'a folder' : 'nothing'}`;
    const misnamed = found ? undefined : findMisnamedFile(file);
    if (misnamed !== undefined) return withNothing([buildMisnamedProblem(misnamed, file)]);
    const problems = mustExist || found ? [{ file, path: '', message, rule: 'file' }] : [];
    return withNothing(problems);
  }
  const { text, fault, ...place } = decodeUtf8(readFileSync(file));
  if (fault !== undefined) {
    return withNothing([{ file, ...place, path: '', message: fault, rule: 'file' }]);
  }
  const { declared, problems } = readDeclarations(file, text, [kind], () => {
    throw new Error('a Platform includes no files');
  });
  const [one, second] = declared;
  if (!one) {
    const message = 'must hold a Platform, got no document';
    const none = { file, path: '', message, rule: 'platform' };
    return withNothing(problems.length > 0 ? problems : [none]);
  }
  const { spec } = one;
  const all = [...problems];
  if (second)
    all.push(second.problem(errorAt([], 'must be the only Platform in the file', 'platform')));
  all.push(...validatePlatform(spec).map(one.problem));
  const read = readCrdFiles(spec.crdFiles ?? [], dirname(file), one.problem);
  const kinds = [...(spec.kinds ?? []), ...read.defined.map(({ kind }) => kind)];
  // The definitions are unknown if one of the files cannot be read.
  if (read.problems.length === 0) {
    all.push(...validateComparedKinds({ ...spec, kinds }).map(one.problem));
  }
  const definitions = read.defined.flatMap(({ definition }) => definition ?? []);
  const platform = applyPlatformDefaults({ ...spec, kinds }, definitions);
  const isWhole = all.length === 0 && read.problems.length === 0;
  return {
    platform,
    place: one.problem,
    problems: [...all, ...read.problems],
    warnings: isWhole ? validateServerSideDiff(platform).map(one.problem) : [],
    crdFiles: spec.crdFiles ?? [],
    text,
  };
}

/**
 * Returns the platform that a text of another commit declares, without the definitions of its `crdFiles`; undefined if it
 * has an error.
 */
export function parsePlatform(text: string): Platform | undefined {
  const { declared, problems } = readDeclarations('tenantry.yaml', text, [kind], () => {
    throw new Error('a Platform includes no files');
  });
  const [one] = declared;
  if (!one || problems.length > 0 || validatePlatform(one.spec).length > 0) return undefined;
  return applyPlatformDefaults(one.spec);
}

function buildMisnamedProblem(misnamed: string, file: string): Problem {
  const message = `must be called ${show(basename(file))} to be read, got a file that is left out: rename it`;
  return { file: misnamed, path: '', message, rule: 'file-left-out' };
}

function withNothing(problems: readonly Problem[]): PlatformFile {
  return { platform: resolvePlatform(), problems, warnings: [], crdFiles: [] };
}

/** What a platform learns from one CustomResourceDefinition. */
interface Defined {
  readonly kind: NonNullable<PlatformSpec['kinds']>[number];
  /** Present if tenants may have objects of the kind. */
  readonly definition?: KnownDefinition;
}

interface ReadCrdFiles {
  readonly defined: readonly Defined[];
  readonly problems: readonly Problem[];
}

/**
 * Reads the definitions in the files and folders that a platform names in `crdFiles`.
 * @param folder the folder of the platform file
 * @param placed adds the place in the platform file to a finding
 */
function readCrdFiles(
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
      if (!entry.isFile()) throw new Error(`${file} must be a file, got ${describeEntry(entry)}`);
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
