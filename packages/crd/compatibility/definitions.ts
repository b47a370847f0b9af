import type {
  CustomResourceDefinitionManifest,
  CustomResourceConversion,
} from '../custom-resource-definition.ts';
import { isDeepEqual } from '@tenantry/kube/json';
import {
  buildChangesOf,
  compareChanges,
  findUnhandled,
  formatValue,
  formatValues,
  subtract,
  type Change,
  type ChangeBuilder,
} from './change.ts';
import { compareLifecycles } from './deprecation.ts';
import { compareServedVersions, compareVersions } from './versions.ts';

/** What a comparison needs in addition to the two definitions. */
export interface CompareOptions {
  /** `status.storedVersions` of OLD: in which versions objects may be stored. @default - not known */
  readonly storedVersions?: readonly string[];
  /**
   * The verdict when NEW accepts more than OLD: clients may read values that they do not know.
   * @default 'compatible'
   */
  readonly widening?: 'compatible' | 'breaking';
}

/**
 * Every difference between two definitions of one kind, judged. What no comparison understands is
 * `unknown`, and never left out. Sorted: what is about all versions first, then by version and path.
 *
 * @example
 * ```ts
 * import { compareDefinitions, crdManifest } from '@tenantry/crd';
 * import { redis } from './redis.ts';
 *
 * const before = crdManifest(redis);
 * const changes = compareDefinitions(before, {
 *   ...before,
 *   spec: { ...before.spec, scope: 'Cluster' },
 * });
 * const [change] = changes;
 * console.log(change?.path, change?.verdict); // spec.scope breaking
 * ```
 */
export function compareDefinitions(
  before: CustomResourceDefinitionManifest,
  after: CustomResourceDefinitionManifest,
  options: CompareOptions = {},
): Change[] {
  const found: Change[] = [];
  for (const compare of comparisons) compare(before, after, buildChangesOf(found));
  found.push(...compareLifecycles(before, after, options.storedVersions));
  const olds = new Map(before.spec.versions.map((version) => [version.name, version]));
  for (const version of after.spec.versions) {
    const old = olds.get(version.name);
    if (!old) continue;
    const isStored = old.storage || (options.storedVersions?.includes(version.name) ?? false);
    found.push(...compareVersions(old, version, isStored));
  }
  found.push(...compareServedVersions(before, after));
  return found
    .map((change) =>
      options.widening === 'breaking' && change.widens ? markBreaking(change) : change,
    )
    .toSorted(compareChanges);
}

function markBreaking(change: Change): Change {
  return { ...change, verdict: 'breaking', message: `${change.message}; readers do not know them` };
}

/** Compares one aspect of two definitions. */
type DefinitionComparison = (
  before: CustomResourceDefinitionManifest,
  after: CustomResourceDefinitionManifest,
  changeAt: ChangeBuilder,
) => void;

/** Compares the identity of a definition, which the API server never lets anybody change. */
const compareIdentity: DefinitionComparison = (before, after, changeAt) => {
  const [a, b] = [before.spec, after.spec];
  const fixed: [string, string, unknown, unknown][] = [
    ['name', 'metadata.name', before.metadata.name, after.metadata.name],
    ['scope', 'spec.scope', a.scope, b.scope],
    ['group', 'spec.group', a.group, b.group],
    ['kind', 'spec.names.kind', a.names.kind, b.names.kind],
    ['plural', 'spec.names.plural', a.names.plural, b.names.plural],
  ];
  for (const [rule, path, from, to] of fixed) {
    if (from === to) continue;
    const message = `must stay ${formatValue(from)}, got ${formatValue(to)}: the API server refuses the change`;
    changeAt(path, rule, from, to).breaking(message);
  }
};

const compareNames: DefinitionComparison = (before, after, changeAt) => {
  const [a, b] = [before.spec.names, after.spec.names];
  const [from, to] = [a, b].map(({ singular, kind }) => singular ?? kind.toLowerCase());
  if (from !== to) {
    const change = changeAt('spec.names.singular', 'singular', from, to);
    change.breaking(`${formatValue(from)} is not known to kubectl any more`);
  }
  const [list, newList] = [a, b].map(({ listKind, kind }) => listKind ?? `${kind}List`);
  if (list !== newList) {
    const change = changeAt('spec.names.listKind', 'list-kind', list, newList);
    change.breaking(
      `lists are of kind ${formatValue(newList)} now: clients that decode ${formatValue(list)} fail`,
    );
  }
  for (const [key, rule, use] of [
    ['shortNames', 'short-names', 'known to kubectl'],
    ['categories', 'categories', 'a category of it'],
  ] as const) {
    const [from, to] = [a[key] ?? [], b[key] ?? []];
    const [gone, added] = [subtract(from, to), subtract(to, from)];
    const path = `spec.names.${key}`;
    if (gone.length > 0) {
      changeAt(path, rule, gone).breaking(`${formatValues(gone)}: not ${use} any more`);
    }
    if (added.length > 0) {
      changeAt(path, rule, undefined, added).compatible(`${formatValues(added)}: ${use} now`);
    }
    if (gone.length + added.length === 0 && !isDeepEqual(from, to)) {
      changeAt(path, rule).compatible('the same in another order');
    }
  }
};

/** Labels and annotations are of the definition alone: no object and no client of the kind sees them. */
const compareMetadata: DefinitionComparison = (before, after, changeAt) => {
  for (const key of ['labels', 'annotations'] as const) {
    const [a, b] = [before.metadata[key] ?? {}, after.metadata[key] ?? {}];
    const changed = findUnhandled(a, b, new Set()).map(([name]) => name);
    if (changed.length === 0) continue;
    const message = `${formatValues(changed.toSorted())}: of the definition, not of the objects`;
    changeAt(`metadata.${key}`, 'metadata').compatible(message);
  }
};

const comparePruning: DefinitionComparison = (before, after, changeAt) => {
  const [a, b] = [before.spec.preserveUnknownFields, after.spec.preserveUnknownFields];
  if ((a ?? false) === (b ?? false)) return;
  const message = b
    ? 'unknown fields are kept everywhere, which the API server refuses'
    : 'unknown fields were kept everywhere, and are dropped now';
  changeAt('spec.preserveUnknownFields', 'preserve-unknown', a, b).breaking(message);
};

const understood = {
  spec: new Set('group names scope versions conversion preserveUnknownFields'.split(' ')),
  names: new Set('kind listKind plural singular shortNames categories'.split(' ')),
};

const compareUnhandled: DefinitionComparison = (before, after, changeAt) => {
  const [a, b] = [before.spec, after.spec];
  for (const [path, one, other, known] of [
    ['spec', a, b, understood.spec],
    ['spec.names', a.names, b.names, understood.names],
  ] as const) {
    for (const [key, from, to] of findUnhandled(one, other, known)) {
      const change = changeAt(`${path}.${key}`, 'unhandled', from, to);
      change.unknown('no comparison knows what this means');
    }
  }
};

/** The versions of ConversionReview that the API server can send. */
const reviews = ['v1', 'v1beta1'];

/** Compares spec.conversion: how objects of one version become those of another. */
const compareConversions: DefinitionComparison = (before, after, changeAt) => {
  const [given, changed] = [before.spec.conversion, after.spec.conversion];
  const none: CustomResourceConversion = { strategy: 'None' };
  const [a, b] = [given ?? none, changed ?? none];
  if (isDeepEqual(a, b)) return;
  const change = changeAt('spec.conversion', 'conversion', given, changed);
  const versions = [before, after].flatMap(({ spec }) => spec.versions.map(({ name }) => name));
  const offered = b.webhook?.conversionReviewVersions ?? [];
  if (b.strategy === 'Webhook' && !offered.some((version) => reviews.includes(version))) {
    change.breaking(
      `must name a ConversionReview that the API server knows (${formatValues(reviews)}), got ${formatValues(offered) || 'none'}`,
    );
  } else if (new Set(versions).size < 2) {
    change.compatible('there is one version, and nothing to convert');
  } else if (a.strategy === 'Webhook' && b.strategy === 'None') {
    change.breaking(
      'objects are not converted any more: when one is read in another version, only its apiVersion changes',
    );
  } else if (a.strategy !== b.strategy) {
    change.unknown('a webhook converts the objects now: what it does is not in the definition');
  } else if (sameWebhook(a, b)) {
    change.compatible('the same webhook, with other certificates or reviews');
  } else {
    change.unknown('another webhook converts the objects: what it does is not in the definition');
  }
};

const comparisons: readonly DefinitionComparison[] = [
  compareIdentity,
  compareNames,
  compareMetadata,
  compareConversions,
  comparePruning,
  compareUnhandled,
];

/** Returns whether the address is the same, which is all that is known of a webhook. */
function sameWebhook(a: CustomResourceConversion, b: CustomResourceConversion): boolean {
  const [from, to] = [a, b].map(({ webhook }) => {
    const { caBundle: _, ...where } = webhook?.clientConfig ?? {};
    return where;
  });
  return isDeepEqual(from, to);
}
