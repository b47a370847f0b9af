import type {
  CustomResourceDefinitionManifest,
  CustomResourceConversion,
} from '../custom-resource-definition.ts';
import { isDeepEqual } from '@tenantry/kube/json';
import {
  compareChanges,
  buildSides,
  formatValue,
  formatValues,
  subtract,
  type Change,
  type Judgement,
} from './change.ts';
import { compareLifecycles } from './deprecation.ts';
import { compareServedVersions, compareVersions, unknownDifferences } from './versions.ts';

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
  const report = (path: string, judgement: Judgement): void => {
    found.push({ path, ...judgement });
  };
  compareIdentity(before, after, report);
  compareNames(before, after, report);
  compareMetadata(before, after, report);
  compareConversions(before, after, report);
  comparePruning(before, after, report);
  compareUnhandled(before, after, report);
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

type ChangeReporter = (path: string, judgement: Judgement) => void;

/** Compares the identity of a definition, which the API server never lets anybody change. */
function compareIdentity(
  before: CustomResourceDefinitionManifest,
  after: CustomResourceDefinitionManifest,
  report: ChangeReporter,
): void {
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
    report(path, { rule, verdict: 'breaking', message, before: from, after: to });
  }
}

function compareNames(
  before: CustomResourceDefinitionManifest,
  after: CustomResourceDefinitionManifest,
  report: ChangeReporter,
): void {
  const [a, b] = [before.spec.names, after.spec.names];
  const singular = [a, b].map((names) => names.singular ?? names.kind.toLowerCase());
  if (singular[0] !== singular[1]) {
    const [from, to] = singular;
    const message = `${formatValue(from)} is not known to kubectl any more`;
    const change = { rule: 'singular', before: from, after: to };
    report('spec.names.singular', { ...change, verdict: 'breaking', message });
  }
  const listKind = [a, b].map((names) => names.listKind ?? `${names.kind}List`);
  if (listKind[0] !== listKind[1]) {
    const [from, to] = listKind;
    const message = `lists are of kind ${formatValue(to)} now: clients that decode ${formatValue(from)} fail`;
    const change = { rule: 'list-kind', before: from, after: to };
    report('spec.names.listKind', { ...change, verdict: 'breaking', message });
  }
  for (const [key, rule, use] of [
    ['shortNames', 'short-names', 'known to kubectl'],
    ['categories', 'categories', 'a category of it'],
  ] as const) {
    const [from, to] = [a[key] ?? [], b[key] ?? []];
    const [gone, added] = [subtract(from, to), subtract(to, from)];
    const path = `spec.names.${key}`;
    if (gone.length > 0) {
      const message = `${formatValues(gone)}: not ${use} any more`;
      report(path, { rule, verdict: 'breaking', message, before: gone });
    }
    if (added.length > 0) {
      const message = `${formatValues(added)}: ${use} now`;
      report(path, { rule, verdict: 'compatible', message, after: added });
    }
    if (gone.length + added.length === 0 && !isDeepEqual(a[key] ?? [], b[key] ?? [])) {
      report(path, { rule, verdict: 'compatible', message: 'the same in another order' });
    }
  }
}

/** Labels and annotations are of the definition alone: no object and no client of the kind sees them. */
function compareMetadata(
  before: CustomResourceDefinitionManifest,
  after: CustomResourceDefinitionManifest,
  report: ChangeReporter,
): void {
  for (const key of ['labels', 'annotations'] as const) {
    const [a, b] = [before.metadata[key] ?? {}, after.metadata[key] ?? {}];
    const changed = unknownDifferences(a, b, new Set()).map(([name]) => name);
    if (changed.length === 0) continue;
    const message = `${formatValues(changed.toSorted())}: of the definition, not of the objects`;
    report(`metadata.${key}`, { rule: 'metadata', verdict: 'compatible', message });
  }
}

function comparePruning(
  before: CustomResourceDefinitionManifest,
  after: CustomResourceDefinitionManifest,
  report: ChangeReporter,
): void {
  const [a, b] = [before.spec.preserveUnknownFields, after.spec.preserveUnknownFields];
  if ((a ?? false) === (b ?? false)) return;
  const message = b
    ? 'unknown fields are kept everywhere, which the API server refuses'
    : 'unknown fields were kept everywhere, and are dropped now';
  const change = { rule: 'preserve-unknown', ...buildSides(a, b) };
  report('spec.preserveUnknownFields', { ...change, verdict: 'breaking', message });
}

const understood = {
  spec: new Set('group names scope versions conversion preserveUnknownFields'.split(' ')),
  names: new Set('kind listKind plural singular shortNames categories'.split(' ')),
};

function compareUnhandled(
  before: CustomResourceDefinitionManifest,
  after: CustomResourceDefinitionManifest,
  report: ChangeReporter,
): void {
  const rest = [
    ...unknownDifferences(before.spec, after.spec, understood.spec).map(
      ([key, a, b]) => [`spec.${key}`, a, b] as const,
    ),
    ...unknownDifferences(before.spec.names, after.spec.names, understood.names).map(
      ([key, a, b]) => [`spec.names.${key}`, a, b] as const,
    ),
  ];
  for (const [path, a, b] of rest) {
    const message = 'no comparison knows what this means';
    report(path, { rule: 'unhandled', verdict: 'unknown', message, ...buildSides(a, b) });
  }
}

/** The versions of ConversionReview that the API server can send. */
const reviews = ['v1', 'v1beta1'];

/** Compares spec.conversion: how objects of one version become those of another. */
function compareConversions(
  before: CustomResourceDefinitionManifest,
  after: CustomResourceDefinitionManifest,
  report: ChangeReporter,
): void {
  const [a, b] = [before.spec.conversion, after.spec.conversion].map(
    (conversion): CustomResourceConversion => conversion ?? { strategy: 'None' },
  );
  if (isDeepEqual(a, b)) return;
  const path = 'spec.conversion';
  const change = {
    rule: 'conversion',
    ...buildSides(before.spec.conversion, after.spec.conversion),
  };
  const versions = [before, after].map(({ spec }) => spec.versions.map(({ name }) => name));
  const isOne = new Set(versions.flat()).size < 2;
  const offered = b!.webhook?.conversionReviewVersions ?? [];
  if (b!.strategy === 'Webhook' && !offered.some((version) => reviews.includes(version))) {
    const message = `must name a ConversionReview that the API server knows (${formatValues(reviews)}), got ${formatValues(offered) || 'none'}`;
    report(path, { ...change, verdict: 'breaking', message });
  } else if (isOne) {
    const message = 'there is one version, and nothing to convert';
    report(path, { ...change, verdict: 'compatible', message });
  } else if (a!.strategy === 'Webhook' && b!.strategy === 'None') {
    const message =
      'objects are not converted any more: when one is read in another version, only its apiVersion changes';
    report(path, { ...change, verdict: 'breaking', message });
  } else if (a!.strategy !== b!.strategy) {
    const message = 'a webhook converts the objects now: what it does is not in the definition';
    report(path, { ...change, verdict: 'unknown', message });
  } else if (sameWebhook(a!, b!)) {
    const message = 'the same webhook, with other certificates or reviews';
    report(path, { ...change, verdict: 'compatible', message });
  } else {
    const message = 'another webhook converts the objects: what it does is not in the definition';
    report(path, { ...change, verdict: 'unknown', message });
  }
}

/** Returns whether the address is the same, which is all that is known of a webhook. */
function sameWebhook(a: CustomResourceConversion, b: CustomResourceConversion): boolean {
  const [from, to] = [a, b].map(({ webhook }) => {
    const { caBundle: _, ...where } = webhook?.clientConfig ?? {};
    return where;
  });
  return isDeepEqual(from, to);
}
