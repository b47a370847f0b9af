import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPlatform } from '../../../apps/platform-file.ts';
import {
  resolveAppliedKinds,
  type AppliedKinds,
} from '../../../model/argocd/rights/applied-kinds.ts';
import type { Platform } from '../../../model/declaration.ts';
import { omitUndefined } from '@tenantry/kube/mapping';
import { InvalidInput, type Problem } from '@tenantry/kube/problem';
import { readRendered } from '../../rendered.ts';
import { resolveSettings } from '../../settings.ts';
import type { WriteTarget } from '../../written-objects.ts';

/** The command line, as commander gives it. */
export interface ArgoCDOptions extends WriteTarget {
  readonly out?: string;
  readonly platform?: string;
}

/** A cluster of an output folder, and the kinds that are applied there. */
export interface RenderedKinds extends Pick<AppliedKinds, 'kinds' | 'parameters'> {
  readonly name: string;
}

/** A platform and the kinds in its rendered output. */
interface PlatformKinds {
  readonly platform: Platform;
  readonly clusters: readonly RenderedKinds[];
  /** Messages for people about what the kinds do not cover. */
  readonly warnings: readonly string[];
}

/**
 * Reads the kinds of an output folder.
 * @param isOf selects the clusters
 * @throws {InvalidInput} with all problems of the platform file and the folder
 */
export function readKinds(
  { out, platform: named }: ArgoCDOptions,
  isOf: (cluster: string) => boolean = () => true,
): PlatformKinds {
  const settings = resolveSettings(
    omitUndefined({
      out,
      platform: named,
      output: 'text',
      color: 'auto',
    }),
  );
  const { platform: file } = settings;
  const { platform, problems } = readPlatform(file, { mustExist: named !== undefined });
  const rendered = readRendered(settings.out);
  const { kinds: declared = [] } = platform.declared;
  const clusters = rendered.clusters
    .filter(({ name }) => isOf(name))
    .map(({ name, objects }) => ({ name, ...resolveAppliedKinds(objects, declared) }));
  const all = [
    ...problems,
    ...rendered.problems,
    ...clusters.flatMap(({ name, unknown }) => unknown.map((one) => unknownKind(one, name, file))),
  ];
  if (all.length > 0) throw new InvalidInput(deduplicateProblems(all));
  return { platform, clusters, warnings: listWarnings(settings.out) };
}

/** Warns about kinds in the repositories of tenants, which this command does not read. */
function listWarnings(out: string): string[] {
  const folder = join(out, 'argocd', 'tenants');
  if (!existsSync(folder)) return [];
  const what = 'kinds that tenants deploy from repositories of their own are not among these';
  return [`${folder}: ${what}, nor is the right to impersonate their accounts`];
}

function unknownKind(
  { group, kind, objects }: AppliedKinds['unknown'][number],
  cluster: string,
  file: string,
): Problem {
  const example = objects[0]!.metadata;
  const must = `must define the plural of ${kind} (${group}), or crdFiles have its definition`;
  const message = `${must}, got neither: ${cluster} has ${kind} ${example.name}`;
  return { file, path: 'spec.kinds', message, rule: 'kind' };
}

/** Merges the problems of clusters that have the same kinds, so that each is reported once. */
function deduplicateProblems(problems: readonly Problem[]): Problem[] {
  const byKind = new Map(
    problems.map((one) => [one.message.replace(/: \S+ has .*/, ''), one] as const).toReversed(),
  );
  return [...byKind.values()].toReversed();
}
