/** The effects of a changed definition on clients and stored objects. */
import type { CustomResourceDefinitionManifest } from './custom-resource-definition.ts';
import { formatPath } from '@tenantry/kube/problem';
import { validateDefinitionUpdate } from './validation/update.ts';
import { validateDefinition } from './validation/validate.ts';
import { adviseOn, type Advice } from './compatibility/style-advice.ts';
import { compareChanges, type Change } from './compatibility/change.ts';
import { compareDefinitions, type CompareOptions } from './compatibility/definitions.ts';

export { changeRules, type Change, type Compatibility } from './compatibility/change.ts';
export { compareDefinitions, type CompareOptions } from './compatibility/definitions.ts';

/** A definition of OLD, with what is known of its cluster. */
interface OldDefinition {
  readonly manifest: CustomResourceDefinitionManifest;
  readonly storedVersions?: readonly string[];
}

/** The result of comparing one definition. */
export interface DefinitionComparison {
  /** Such as `redises.cache.example.com`. */
  readonly name: string;
  /** In the order of `compareChanges`; empty if there is no difference. */
  readonly changes: readonly Change[];
  readonly advice: readonly Advice[];
  readonly notChecked: readonly UncheckedAspect[];
}

/**
 * Compares the definitions of two sets, matched by metadata.name and sorted by name. A definition
 * only in NEW is compatible. A definition only in OLD is breaking, because its objects are deleted
 * with it. If a name is repeated in a set, the last definition counts.
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

/** Rules that the comparisons report themselves. */
const rulesReportedElsewhere = new Set(['immutable', 'stored-version']);

/** Finds why the API server refuses NEW, as a new definition or as an update of OLD. */
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

/** Something that decides, and that two definitions do not show. */
interface UncheckedAspect {
  readonly rule: string;
  /** What was not checked, and who can check it. */
  readonly message: string;
}

/** Lists what a comparison of two definitions did not check although it matters. */
export function listUncheckedAspects(
  before: CustomResourceDefinitionManifest,
  after: CustomResourceDefinitionManifest,
  options: CompareOptions = {},
): UncheckedAspect[] {
  const found: UncheckedAspect[] = [];
  const served = after.spec.versions.filter((version) => version.served);
  if (after.spec.conversion?.strategy === 'Webhook' && served.length > 1) {
    const message =
      'whether the conversion webhook keeps everything: its work is not in the definition';
    found.push({ rule: 'served-versions', message });
  }
  const names = new Set(after.spec.versions.map(({ name }) => name));
  const gone = before.spec.versions.filter(({ name, storage }) => !storage && !names.has(name));
  if (gone.length > 0 && options.storedVersions === undefined) {
    const message = `whether objects are stored in ${gone.map(({ name }) => name).join(', ')}: status.storedVersions of OLD is not known`;
    found.push({ rule: 'stored-version', message });
  }
  return found;
}
