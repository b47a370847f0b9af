import { formatCanonicalJson } from '@tenantry/kube/json';
import type { Bundle } from '../bundle/bundle.ts';
import {
  areas,
  verdicts,
  readUpgradeFacts,
  type ChangeReporter,
  type UpgradeChange,
  type UpgradeRule,
} from './upgrade-check.ts';
import { contentsCheck } from './objects.ts';
import { compareBundleDefinitions, definitionRules } from './definitions.ts';
import { graphCheck, graphRules, type UpgradeGraph } from './graph.ts';
import { permissionsCheck } from './permissions.ts';
import { requirementsCheck } from './requirements.ts';
import { webhooksCheck } from './webhooks.ts';

export type { UpgradeChange, UpgradeVerdict } from './upgrade-check.ts';
export type { UpgradeGraph } from './graph.ts';

/** Options of `compareBundles`. */
export interface UpgradeOptions {
  /** How upgrades are linked. @default 'replaces' */
  readonly updateGraph?: UpgradeGraph;
}

const checks = [permissionsCheck, webhooksCheck, requirementsCheck, contentsCheck];

/** All upgrade rules, except for those of `crd diff`. */
export const upgradeRules: readonly UpgradeRule[] = [
  ...graphRules,
  ...definitionRules,
  ...checks.flatMap(({ rules }) => rules),
];

/**
 * Compares two bundles and judges the changes of the upgrade: by area, the worst first. Two equivalent bundles have no
 * changes. Of bundles with read errors in their `faults`, only the readable parts are compared.
 */
export function compareBundles(
  before: Bundle,
  after: Bundle,
  { updateGraph = 'replaces' }: UpgradeOptions = {},
): UpgradeChange[] {
  if (serializeContents(before) === serializeContents(after)) return [];
  const [old, now] = [readUpgradeFacts(before), readUpgradeFacts(after)];
  const changes: UpgradeChange[] = compareBundleDefinitions(before, after);
  const report: ChangeReporter = ({ id, area, verdict }, subject, message, sides = {}) => {
    changes.push({ area, verdict, rule: id, subject, message, ...sides });
  };
  graphCheck(updateGraph).compare(old, now, report);
  for (const check of checks) check.compare(old, now, report);
  return changes.toSorted((a, b) => rank(a) - rank(b));
}

/** Sorts by area, and within an area by the worst verdict. */
function rank({ area, verdict }: UpgradeChange): number {
  return areas.indexOf(area) * verdicts.length + verdicts.indexOf(verdict);
}

/** Returns everything that OLM reads of a bundle as one text, whatever the names of its files. */
function serializeContents({ manifests, annotations, dependencies, properties }: Bundle): string {
  const objects = manifests.map(({ value }) => formatCanonicalJson(value)).toSorted();
  const metadata = [...dependencies, ...properties].map(({ type, value }) => ({ type, value }));
  return formatCanonicalJson([objects, annotations.values, metadata]);
}
