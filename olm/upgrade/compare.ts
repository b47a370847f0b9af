import { formatCanonicalJson } from '../../kube/equality.ts';
import type { Bundle } from '../bundle/bundle.ts';
import {
  areas,
  verdicts,
  type ChangeReporter,
  type UpgradeChange,
  type UpgradeRule,
} from './change.ts';
import { contentsCheck } from './contents.ts';
import { compareBundleDefinitions, definitionRules } from './definitions.ts';
import { graphCheck, graphRules, type UpgradeGraph } from './graph.ts';
import { permissionsCheck } from './permissions.ts';
import { requirementsCheck } from './requirements.ts';
import { readUpgradeFacts } from './said.ts';
import { webhooksCheck } from './webhooks.ts';

export type { UpgradeArea, UpgradeChange, UpgradeVerdict } from './change.ts';
export type { UpgradeGraph } from './graph.ts';

/** What a comparison has to know besides the two bundles. */
export interface UpgradeOptions {
  /** Where upgrades lead. @default 'replaces' */
  readonly updateGraph?: UpgradeGraph;
}

const checks = [permissionsCheck, webhooksCheck, requirementsCheck, contentsCheck];

/** Every rule of upgrades, but for those of `crd diff`. */
export const upgradeRules: readonly UpgradeRule[] = [
  ...graphRules,
  ...definitionRules,
  ...checks.flatMap(({ rules }) => rules),
];

/**
 * What an upgrade from one bundle to another changes, judged: by area, the worst first. Two bundles that
 * say the same differ in nothing. Of bundles that could not be read, as their `faults` say, only what was
 * read is compared.
 */
export function compareBundles(
  before: Bundle,
  after: Bundle,
  { updateGraph = 'replaces' }: UpgradeOptions = {},
): UpgradeChange[] {
  if (contentsOf(before) === contentsOf(after)) return [];
  const [old, now] = [readUpgradeFacts(before), readUpgradeFacts(after)];
  const changes: UpgradeChange[] = compareBundleDefinitions(before, after);
  const tell: ChangeReporter = ({ id, area, verdict }, subject, message, sides = {}) => {
    changes.push({ area, verdict, rule: id, subject, message, ...sides });
  };
  graphCheck(updateGraph).compare(old, now, tell);
  for (const check of checks) check.compare(old, now, tell);
  return changes.toSorted((a, b) => rank(a) - rank(b));
}

/** Areas in their order, and in each the worst first. */
function rank({ area, verdict }: UpgradeChange): number {
  return areas.indexOf(area) * verdicts.length + verdicts.indexOf(verdict);
}

/** All that OLM reads of a bundle, as one text, whatever its files are called. */
function contentsOf({ manifests, annotations, dependencies, properties }: Bundle): string {
  const objects = manifests.map(({ value }) => formatCanonicalJson(value)).toSorted();
  const metadata = [...dependencies, ...properties].map(({ type, value }) => ({ type, value }));
  return formatCanonicalJson([objects, annotations.values, metadata]);
}
