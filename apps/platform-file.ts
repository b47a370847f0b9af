import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readDeclarations } from '../crds/tenantry/declarations.ts';
import type { Problem } from '../kube/problem.ts';
import { errorAt, type Finding } from '../kube/finding.ts';
import { platform as kind } from '../crds/tenantry/platform.ts';
import type { Platform } from '../constructs/tenant/declaration.ts';
import { validateComparedKinds } from '../constructs/tenant/compared-kinds.ts';
import { applyPlatformDefaults, resolvePlatform } from '../constructs/tenant/platform.ts';
import { validatePlatform } from '../constructs/tenant/rules/platform.ts';
import { validateServerSideDiff } from '../constructs/tenant/stored-form.ts';
import { decodeUtf8 } from '../kube/utf8.ts';
import { readCrdFiles } from './crd-files.ts';

/** Converts a finding about the Platform into a problem with its place in the file. */
export type PlatformPlace = (finding: Finding) => Problem;

/** The platform of a file, and its problems. */
export interface PlatformFile {
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
 * Reads the platform of a file. Without the file it returns an empty platform, unless `mustExist`.
 * If the file is no Platform, or names a file that cannot be read, the result has problems and
 * holds only what could be read.
 */
export function readPlatform(file: string, mustExist: boolean): PlatformFile {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) {
    const message = `must be a file with a Platform, got ${found ? 'a folder' : 'nothing'}`;
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

function withNothing(problems: readonly Problem[]): PlatformFile {
  return { platform: resolvePlatform(), problems, warnings: [], crdFiles: [] };
}
