import type { CustomResourceDefinitionManifest } from '../custom-resource-definition.ts';
import { formatPath } from '../../kube/problem.ts';
import { validateDefinitionUpdate } from '../validation/update.ts';
import { validateDefinition } from '../validation/validate.ts';
import { adviseOn, type Advice } from './style-advice.ts';
import { compareChanges, type Change } from './change.ts';
import { compareDefinitions, type CompareOptions } from './definitions.ts';
import { listUncheckedAspects, type UncheckedAspect } from './unseen.ts';

/** A definition of OLD, with what is known of the cluster that it came from. */
export interface OldDefinition {
  readonly manifest: CustomResourceDefinitionManifest;
  readonly storedVersions?: readonly string[];
}

/** All that is to be said of one definition. */
export interface DefinitionComparison {
  /** `redises.cache.example.com`. */
  readonly name: string;
  /** In byPlace's order; empty where the two are the same. */
  readonly changes: readonly Change[];
  readonly advice: readonly Advice[];
  readonly notChecked: readonly UncheckedAspect[];
}

/**
 * Compares the definitions of two sets, matched by metadata.name, in the order of the names. One
 * that is in NEW alone is compatible; one that is in OLD alone is breaking, for its objects go with
 * it. Of a name that is repeated in a set, the last one counts.
 */
export function compareDefinitionSets(
  olds: readonly OldDefinition[],
  news: readonly CustomResourceDefinitionManifest[],
  options: Omit<CompareOptions, 'storedVersions'> = {},
): DefinitionComparison[] {
  const before = new Map(olds.map((known) => [known.manifest.metadata.name, known]));
  const after = new Map(news.map((manifest) => [manifest.metadata.name, manifest]));
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => ({
      name,
      ...compareDefinitionPair(before.get(name), after.get(name), options),
    }));
}

function compareDefinitionPair(
  old: OldDefinition | undefined,
  now: CustomResourceDefinitionManifest | undefined,
  options: CompareOptions,
): Omit<DefinitionComparison, 'name'> {
  if (!now) {
    const message = 'the kind is removed: deleting its definition deletes all its objects';
    const change = { path: '', rule: 'definition-removed', verdict: 'breaking', message } as const;
    return { changes: [change], advice: [], notChecked: [] };
  }
  if (!old) {
    const message = 'the kind is new';
    const change = { path: '', rule: 'definition-added', verdict: 'compatible', message } as const;
    const changes = [change, ...findRefusals(undefined, now)];
    return { changes, advice: adviseOn(undefined, now), notChecked: [] };
  }
  const { manifest, storedVersions } = old;
  const all = { ...options, ...(storedVersions && { storedVersions }) };
  const changes = compareDefinitions(manifest, now, all);
  if (changes.length > 0) changes.push(...findRefusals(old, now));
  return {
    changes: changes.toSorted(compareChanges),
    advice: adviseOn(manifest, now),
    notChecked: listUncheckedAspects(manifest, now, all),
  };
}

/** What the comparisons say by themselves. */
const rulesReportedElsewhere = new Set(['immutable', 'stored-version']);

/** Why the API server refuses NEW, alone or in place of OLD. */
function findRefusals(
  old: OldDefinition | undefined,
  now: CustomResourceDefinitionManifest,
): Change[] {
  const { storedVersions } = old ?? {};
  const { errors } = old
    ? validateDefinitionUpdate(old.manifest, now, storedVersions ? { storedVersions } : {})
    : validateDefinition(now);
  return errors
    .filter(({ rule }) => !rulesReportedElsewhere.has(rule))
    .map(({ path, rule, message }) => ({
      path: formatPath(path),
      rule: 'refused',
      verdict: 'breaking',
      message: `${message}; the API server refuses the definition (${rule})`,
    }));
}
