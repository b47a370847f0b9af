import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readDeclarations, type DeclaredOf } from '../crds/tenantry/declarations.ts';
import { show, type Problem } from '../kube/problem.ts';
import { errorAt, type Finding } from '../kube/finding.ts';
import { isMapping } from '../kube/mapping.ts';
import { platform as kind, type PlatformSpec } from '../crds/tenantry/platform.ts';
import { readDocuments } from '../kube/yaml/read.ts';
import type { Platform } from '../constructs/tenant/declaration.ts';
import { filledPlatform, resolvePlatform } from '../constructs/tenant/platform.ts';
import { platformFindings } from '../constructs/tenant/rules/platform.ts';
import { decodeUtf8 } from '../kube/utf8.ts';
import { natureOf } from './declaration-folder.ts';

/** What is said of something in the Platform, with its place in the file. */
export type PlatformPlace = (finding: Finding) => Problem;

/** The platform of a file, and what is wrong with it. */
export interface PlatformFile {
  readonly platform: Platform;
  /** Absent where there is no Platform. */
  readonly place?: PlatformPlace;
  readonly problems: readonly Problem[];
  readonly crdFiles: readonly string[];
}

/**
 * The platform of a file; without the file that of an empty one, unless the user named it.
 * With problems (the file is no Platform, or names a file that cannot be read) the platform is only
 * as good as what could be read of it.
 */
export function readPlatform(file: string, mustExist: boolean): PlatformFile {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) {
    const message = `must be a file with a Platform, got ${found ? 'a folder' : 'nothing'}`;
    const problems = mustExist || found ? [{ file, path: '', message, rule: 'file' }] : [];
    return { platform: resolvePlatform(), problems, crdFiles: [] };
  }
  const { text, fault, ...place } = decodeUtf8(readFileSync(file));
  if (fault !== undefined) {
    const problem = { file, ...place, path: '', message: fault, rule: 'file' };
    return { platform: resolvePlatform(), problems: [problem], crdFiles: [] };
  }
  const { declared, problems } = readDeclarations(file, text, [kind], () => {
    throw new Error('a Platform includes no files');
  });
  const [one, second] = declared;
  if (!one) {
    const message = 'must hold a Platform, got no document';
    const none = { file, path: '', message, rule: 'platform' };
    return {
      platform: resolvePlatform(),
      problems: problems.length > 0 ? problems : [none],
      crdFiles: [],
    };
  }
  const { spec } = one;
  const all = [...problems];
  if (second)
    all.push(second.problem(errorAt([], 'must be the only Platform in the file', 'platform')));
  all.push(...platformFindings(spec).map(one.problem));
  const kinds = kindsOf(one, dirname(file), all);
  const platform = filledPlatform({ ...spec, kinds: [...(spec.kinds ?? []), ...kinds] });
  return { platform, place: one.problem, problems: all, crdFiles: spec.crdFiles ?? [] };
}

type DeclaredPlatform = DeclaredOf<typeof kind>;

type Kinds = NonNullable<PlatformSpec['kinds']>;

/** The kinds of the definitions that a platform names. */
function kindsOf({ spec, problem }: DeclaredPlatform, folder: string, problems: Problem[]): Kinds {
  return (spec.crdFiles ?? []).flatMap((path, i) => {
    try {
      return yamlFiles(folder, path).flatMap(kindsIn);
    } catch (cause) {
      const message = `must be a file or folder of CustomResourceDefinitions, got ${show(path)}: ${(cause as Error).message}`;
      problems.push(problem(errorAt(['spec', 'crdFiles', i], message, 'file')));
      return [];
    }
  });
}

/**
 * The YAML files of a path below a folder. Links are refused: who may write them need not be who
 * says the scope of kinds.
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

function kindsIn(file: string): Kinds {
  const { documents, problems } = readDocuments(readFileSync(file, 'utf8'));
  const [problem] = problems;
  if (problem) throw new Error(`${file}:${problem.line}:${problem.column} ${problem.message}`);
  return documents.flatMap(({ value }) => {
    if (!isMapping(value) || value['kind'] !== 'CustomResourceDefinition') return [];
    const spec = isMapping(value['spec']) ? value['spec'] : {};
    const names = isMapping(spec['names']) ? spec['names'] : {};
    const { group, scope } = spec;
    const { kind } = names;
    if (typeof group !== 'string' || typeof kind !== 'string') {
      throw new Error(`${file} holds a CustomResourceDefinition without group or kind`);
    }
    return [{ group, kind, scope: scope === 'Namespaced' ? scope : 'Cluster' }];
  });
}
