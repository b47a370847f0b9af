import { formatList } from '@tenantry/kube/problem';
import type { Version } from '@tenantry/kube/semver';
import { entryOf } from '@tenantry/kube/mapping';
import { parseOlmVersion } from '../semver/version.ts';
import type { Bundle } from '../bundle/bundle.ts';
import type { ClusterServiceVersionSpec } from '../bundle/cluster-service-version.ts';
import type { Decoded } from '../bundle/decoded.ts';

/**
 * The verdict on a change.
 *
 * - `breaking`: the upgrade does not happen, or something that works today stops or is lost.
 * - `review`: somebody must decide whether the change is intended.
 * - `fine`: the change is reported, and no action is needed.
 */
export type UpgradeVerdict = 'breaking' | 'review' | 'fine';

/** The verdicts, the worst first. */
export const verdicts: readonly UpgradeVerdict[] = ['breaking', 'review', 'fine'];

/** The areas of changes, in the order of the report. */
export const areas = [
  'graph',
  'definitions',
  'permissions',
  'webhooks',
  'requirements',
  'contents',
] as const;

export type UpgradeArea = (typeof areas)[number];

/** A check of an upgrade, under a stable name. */
export interface UpgradeRule {
  readonly id: string;
  readonly area: UpgradeArea;
  readonly verdict: UpgradeVerdict;
  /** The description in one sentence, for the page of rules: the difference, and the reason for the verdict. */
  readonly description: string;
}

/** One difference between two bundles, with its verdict. */
export interface UpgradeChange {
  readonly area: UpgradeArea;
  readonly verdict: UpgradeVerdict;
  /** The stable name: a row of docs/reference/upgrade-rules.md, or, for definitions, of docs/crd-versions.md. */
  readonly rule: string;
  /** What it is about: a definition, `ServiceAccount redis-operator`, the name of a webhook. */
  readonly subject: string;
  /** The change, and the reason for the verdict. */
  readonly message: string;
  /** The value in OLD; absent if OLD has none. */
  readonly before?: unknown;
  /** The value in NEW; absent if NEW has none. */
  readonly after?: unknown;
}

/** Reports a difference between two bundles. */
export type ChangeReporter = (
  rule: UpgradeRule,
  subject: string,
  message: string,
  sides?: Pick<UpgradeChange, 'before' | 'after'>,
) => void;

/** A group of rules, and their check. */
export interface UpgradeCheck<Given> {
  readonly rules: readonly UpgradeRule[];
  compare(before: Given, after: Given, report: ChangeReporter): void;
}

/** Defines the rules of one area, without repeating their names. */
export function defineUpgradeRules<Name extends string>(
  area: UpgradeArea,
  definitions: Readonly<
    Record<Name, readonly [id: string, verdict: UpgradeVerdict, description: string]>
  >,
): Readonly<Record<Name, UpgradeRule>> {
  const entries = Object.entries<readonly [string, UpgradeVerdict, string]>(definitions);
  const rules = entries.map(([name, [id, verdict, description]]) => [
    name,
    { id, area, verdict, description },
  ]);
  return Object.fromEntries(rules) as Readonly<Record<Name, UpgradeRule>>;
}

const PREFIX = 'operators.operatorframework.io.bundle.';

/** The facts of a bundle that decide about upgrades. */
export interface UpgradeFacts {
  readonly bundle: Bundle;
  /** The name of the ClusterServiceVersion; empty if it has none. */
  readonly name: string;
  readonly spec: Decoded<ClusterServiceVersionSpec>;
  /** The version as written; empty if there is none. */
  readonly versionText: string;
  /** Undefined if the version is invalid. */
  readonly version: Version | undefined;
  /** Empty if the bundle does not declare it. */
  readonly packageName: string;
  readonly channels: readonly string[];
  /** Empty if the bundle does not declare it. */
  readonly defaultChannel: string;
  annotation(name: string): string | undefined;
}

/** Reads the facts that a bundle declares. */
export function readUpgradeFacts(bundle: Bundle): UpgradeFacts {
  const { metadata = {}, spec = {} } = bundle.csv?.value ?? {};
  const { values } = bundle.annotations;
  const channels = entryOf(values, `${PREFIX}channels.v1`) ?? '';
  const versionText = spec.version ?? '';
  return {
    bundle,
    name: metadata.name ?? '',
    spec,
    versionText,
    version: parseOlmVersion(versionText),
    packageName: entryOf(values, `${PREFIX}package.v1`) ?? '',
    channels: [...new Set(channels.split(',').map((one) => one.trim()))].filter(Boolean),
    defaultChannel: entryOf(values, `${PREFIX}channel.default.v1`) ?? '',
    annotation: (name) => entryOf(metadata.annotations, name),
  };
}

/** Returns the elements of a list that another list does not have, without duplicates. */
export function subtract(list: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return [...new Set(list)].filter((one) => !known.has(one));
}

/** Formats names for a message, in their order. */
export function formatNames(all: Iterable<string>): string {
  return formatList([...all].toSorted());
}
