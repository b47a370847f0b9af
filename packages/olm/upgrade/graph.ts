import { show } from '@tenantry/kube/problem';
import { compareVersions } from '@tenantry/kube/semver';
import { parseRange } from '../semver/version.ts';
import {
  defineUpgradeRules,
  formatNames,
  subtract,
  type ChangeReporter,
  type UpgradeCheck,
  type UpgradeFacts,
} from './upgrade-check.ts';

/** How upgrades are linked: as each bundle declares, or to the next higher version of the channel. */
export type UpgradeGraph = 'replaces' | 'semver';

const SKIP_RANGE = 'olm.skipRange';

const rules = defineUpgradeRules('graph', {
  package: [
    'package-changed',
    'breaking',
    'NEW is of another package: a Subscription stays with the one that it names',
  ],
  unnamed: ['package-unsaid', 'review', 'one of the bundles does not declare its package'],
  published: [
    'same-name',
    'breaking',
    'both have the same name but differ: OLM keeps one bundle per name and does not read it again',
  ],
  lower: ['version-not-higher', 'breaking', 'the version of NEW is not above that of OLD'],
  unread: ['version-unread', 'review', 'the version of one of the bundles cannot be read'],
  noEdge: [
    'upgrade-edge',
    'breaking',
    'no upgrade path leads from OLD to NEW: neither `replaces`, `skips` nor `olm.skipRange` of NEW includes OLD; not checked with `--update-graph semver`',
  ],
  cycle: [
    'upgrade-cycle',
    'breaking',
    'OLD replaces or skips NEW: if NEW also replaces or skips OLD, the channel has no head',
  ],
  edge: ['upgrade-way', 'fine', 'the upgrade path from OLD to NEW'],
  badRange: ['skip-range-unread', 'breaking', '`olm.skipRange` of NEW is not a range of versions'],
  apart: [
    'channels-apart',
    'breaking',
    'NEW is in no channel of OLD: a Subscription stays in its channel',
  ],
  left: [
    'channel-left',
    'review',
    'NEW is not in a channel of OLD: subscribers of the channel stay at OLD',
  ],
  joined: ['channel-joined', 'fine', 'NEW is in a further channel'],
  defaultChannel: [
    'default-channel',
    'review',
    'the default channel changes: a Subscription without a channel follows it when it is recreated',
  ],
});

/** The rules for whether NEW comes after OLD, and whether OLM upgrades from OLD to NEW. */
export function graphCheck(graph: UpgradeGraph): UpgradeCheck<UpgradeFacts> {
  return {
    rules: Object.values(rules),
    compare(before, after, report) {
      comparePackages(before, after, report);
      const isSame = before.name !== '' && before.name === after.name;
      if (isSame) {
        const message = 'must differ from the name of OLD, because the contents differ';
        report(rules.published, after.name, message);
      }
      if (!isSame) checkCycle(before, after, report);
      compareOrder(before, after, report);
      checkRange(after, report);
      if (graph === 'replaces' && !isSame) findEdge(before, after, report);
      compareChannels(before, after, report);
    },
  };
}

/** All rules for the graph. */
export const graphRules = Object.values(rules);

function comparePackages(before: UpgradeFacts, after: UpgradeFacts, report: ChangeReporter): void {
  const [a, b] = [before.packageName, after.packageName];
  if (a === b && a !== '') return;
  if (a === '' || b === '') {
    const message = `${a === '' ? 'OLD' : 'NEW'} does not declare its package`;
    return report(rules.unnamed, after.name, message);
  }
  report(rules.package, after.name, `must be of package ${show(a)}, got ${show(b)}`, {
    before: a,
    after: b,
  });
}

function compareOrder(before: UpgradeFacts, after: UpgradeFacts, report: ChangeReporter): void {
  const sides = { before: before.versionText, after: after.versionText };
  if (!before.version || !after.version) {
    const [which, text] = before.version ? ['NEW', sides.after] : ['OLD', sides.before];
    const message = `${which} has no version that can be compared, got ${show(text)}`;
    return report(rules.unread, after.name, message, sides);
  }
  if (compareVersions(before.version, after.version) < 0) return;
  const message = `must be above ${show(sides.before)}, got ${show(sides.after)}`;
  report(rules.lower, after.name, message, sides);
}

function checkRange(after: UpgradeFacts, report: ChangeReporter): void {
  const range = after.annotation(SKIP_RANGE);
  if (range === undefined || range === '' || parseRange(range)) return;
  const message = `${SKIP_RANGE} must be a range of versions, got ${show(range)}`;
  report(rules.badRange, after.name, message, { after: range });
}

/** Reports an upgrade from NEW back to OLD. */
function checkCycle(before: UpgradeFacts, after: UpgradeFacts, report: ChangeReporter): void {
  const { replaces = '', skips = [] } = before.spec;
  if (after.name === '' || (replaces !== after.name && !skips.includes(after.name))) return;
  const how = replaces === after.name ? 'replaces' : 'skips';
  const message = `OLD must not replace or skip NEW, got ${how} with ${show(after.name)}`;
  report(rules.cycle, after.name, message, { before: after.name });
}

function findEdge(before: UpgradeFacts, after: UpgradeFacts, report: ChangeReporter): void {
  const { replaces = '', skips = [] } = after.spec;
  const range = after.annotation(SKIP_RANGE) ?? '';
  const isInRange = before.version !== undefined && parseRange(range)?.(before.version) === true;
  const ways = [
    ...(replaces !== '' && replaces === before.name ? ['spec.replaces names OLD'] : []),
    ...(before.name !== '' && skips.includes(before.name) ? ['spec.skips has OLD'] : []),
    ...(isInRange ? [`${SKIP_RANGE} ${show(range)} has ${before.versionText}`] : []),
  ];
  if (ways.length > 0) return report(rules.edge, after.name, ways.join('; '));
  const replaced = replaces === '' ? 'nothing' : show(replaces);
  const ranged = range === '' ? '' : `, and ${SKIP_RANGE} is ${show(range)}`;
  const message = `must replace or skip ${show(before.name)}: it replaces ${replaced}${ranged}`;
  report(rules.noEdge, after.name, message, {
    before: before.name,
    ...(replaces !== '' && { after: replaces }),
  });
}

function compareChannels(before: UpgradeFacts, after: UpgradeFacts, report: ChangeReporter): void {
  const [a, b] = [before.channels, after.channels];
  const [left, joined] = [subtract(a, b), subtract(b, a)];
  const isApart = a.length > 0 && b.length > 0 && left.length === a.length;
  if (isApart) {
    const message = `must be in one of ${formatNames(a)}, got ${formatNames(b)}`;
    report(rules.apart, after.name, message, { before: a, after: b });
  } else {
    for (const one of left) {
      report(rules.left, one, 'NEW is not in it: subscribers of the channel stay at OLD', {
        before: one,
      });
    }
  }
  for (const one of isApart ? [] : joined)
    report(rules.joined, one, 'NEW is in it, too', { after: one });
  if (before.defaultChannel === after.defaultChannel) return;
  const [from, to] = [before.defaultChannel, after.defaultChannel].map((one) => one || 'none');
  report(rules.defaultChannel, after.name, `the default channel was ${from}, and is ${to}`, {
    ...(before.defaultChannel !== '' && { before: before.defaultChannel }),
    ...(after.defaultChannel !== '' && { after: after.defaultChannel }),
  });
}
