import { formatCanonicalJson } from '@tenantry/kube/json';
import { isMapping } from '@tenantry/kube/mapping';
import { formatBrief, show } from '@tenantry/kube/problem';
import { compareVersions } from '@tenantry/kube/semver';
import type { BundleProperty } from '../bundle/bundle.ts';
import { parseOlmVersion } from '../semver/version.ts';
import {
  defineUpgradeRules,
  subtract,
  type ChangeReporter,
  type UpgradeCheck,
  type UpgradeFacts,
} from './upgrade-check.ts';

const rules = defineUpgradeRules('requirements', {
  modeLost: [
    'install-mode-lost',
    'breaking',
    'NEW does not support an install mode of OLD: OLM fails NEW with an OperatorGroup of that mode',
  ],
  modeGained: ['install-mode-gained', 'fine', 'NEW supports a further install mode'],
  raised: [
    'min-kube-version-raised',
    'review',
    'NEW requires a newer Kubernetes: on an older one it stays pending',
  ],
  lowered: ['min-kube-version-lowered', 'fine', 'NEW runs on an older Kubernetes, too'],
  unread: [
    'min-kube-version-unread',
    'breaking',
    '`minKubeVersion` of NEW is not a version: OLM fails it',
  ],
  needed: [
    'required-api-added',
    'review',
    'NEW needs a further API: without it, NEW stays pending',
  ],
  unneeded: ['required-api-removed', 'fine', 'NEW no longer needs an API'],
  served: ['served-api-added', 'fine', 'NEW serves a further API of an aggregated API server'],
  unserved: [
    'served-api-removed',
    'breaking',
    'NEW no longer serves an API of an aggregated API server: its clients fail',
  ],
  dependency: [
    'dependency-added',
    'review',
    'NEW has a further dependency, or depends on other versions: OLM installs it too, or refuses the upgrade; OLM v1 has no dependencies',
  ],
  independent: ['dependency-removed', 'fine', 'NEW no longer has a dependency'],
});

/** The rules for what NEW requires and OLD did not. */
export const requirementsCheck: UpgradeCheck<UpgradeFacts> = {
  rules: Object.values(rules),
  compare(before, after, report) {
    const [olds, news] = [listModes(before), listModes(after)];
    for (const mode of subtract(olds, news)) {
      const message =
        'must be supported, as it was: OLM fails NEW in an OperatorGroup of that mode';
      report(rules.modeLost, mode, message, { before: mode });
    }
    for (const mode of subtract(news, olds)) {
      report(rules.modeGained, mode, 'is supported now', { after: mode });
    }
    compareKubernetes(before, after, report);
    compareApis(indexRequiredApis(before), indexRequiredApis(after), report, {
      added: [rules.needed, 'must exist on the cluster now: NEW stays pending without it'],
      removed: [rules.unneeded, 'is no longer needed'],
    });
    compareApis(indexServedApis(before), indexServedApis(after), report, {
      added: [rules.served, 'is served now'],
      removed: [rules.unserved, 'is no longer served: its clients fail'],
    });
    const [depends, dependsNow] = [indexDependencies(before), indexDependencies(after)];
    compareApis(depends, dependsNow, report, {
      added: [rules.dependency, 'is a dependency now'],
      removed: [rules.independent, 'is no longer a dependency'],
    });
  },
};

function listModes({ spec }: UpgradeFacts): string[] {
  const modes = (spec.installModes ?? []).filter(({ supported }) => supported === true);
  return modes.map(({ type = '' }) => type).toSorted();
}

function compareKubernetes(
  before: UpgradeFacts,
  after: UpgradeFacts,
  report: ChangeReporter,
): void {
  const [from, to] = [before, after].map(({ spec }) => spec.minKubeVersion ?? '');
  if (from === to) return;
  const sides = { ...(from !== '' && { before: from }), ...(to !== '' && { after: to }) };
  const [old, now] = [from, to].map((text) => parseOlmVersion(text ?? ''));
  if (to !== '' && !now) {
    const message = `must be a version such as '1.28.0', got ${show(to)}`;
    return report(rules.unread, 'minKubeVersion', message, sides);
  }
  // For OLM `1.25` is the same version as `1.25.0`.
  if (old && now && compareVersions(old, now) === 0) return;
  const isHigher = now !== undefined && (!old || compareVersions(old, now) < 0);
  const message = `was ${from === '' ? 'not set' : show(from)}, and is ${to === '' ? 'not set' : show(to)}`;
  if (isHigher) {
    return report(
      rules.raised,
      'minKubeVersion',
      `${message}: older clusters cannot run NEW`,
      sides,
    );
  }
  report(rules.lowered, 'minKubeVersion', message, sides);
}

/** The APIs on one side only, by their description. */
type Apis = ReadonlyMap<string, unknown>;
type Words = readonly [rule: Parameters<ChangeReporter>[0], message: string];

function compareApis(
  olds: Apis,
  news: Apis,
  report: ChangeReporter,
  { added, removed }: { readonly added: Words; readonly removed: Words },
): void {
  for (const subject of subtract([...olds.keys()], [...news.keys()])) {
    report(removed[0], subject, removed[1], { before: olds.get(subject) });
  }
  for (const subject of subtract([...news.keys()], [...olds.keys()])) {
    report(added[0], subject, added[1], { after: news.get(subject) });
  }
}

/** Returns the required custom resources, aggregated APIs and kinds of the cluster. */
function indexRequiredApis({ spec }: UpgradeFacts): Apis {
  const { customresourcedefinitions, apiservicedefinitions, nativeAPIs = [] } = spec;
  const customs = (customresourcedefinitions?.required ?? []).map((one) => {
    const { name = '', version = '', kind = '' } = one;
    return [`${kind} ${version} of ${name}`, { name, version, kind }] as const;
  });
  const aggregated = (apiservicedefinitions?.required ?? []).map((one) => buildApiEntry(one));
  return new Map<string, unknown>([...customs, ...aggregated, ...nativeAPIs.map(buildApiEntry)]);
}

function indexServedApis({ spec }: UpgradeFacts): Apis {
  return new Map((spec.apiservicedefinitions?.owned ?? []).map(buildApiEntry));
}

function buildApiEntry({
  group = '',
  version = '',
  kind = '',
}: {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}): readonly [string, unknown] {
  return [`${kind} of ${group}/${version}`, { group, version, kind }];
}

function indexDependencies({ bundle }: UpgradeFacts): Apis {
  return new Map(bundle.dependencies.map((one) => [dependencyWords(one), one.value]));
}

function dependencyWords({ type, value }: BundleProperty): string {
  const fields = isMapping(value) ? value : {};
  const words = (key: string): string => {
    const one = fields[key];
    return typeof one === 'string' ? formatBrief(one) : '';
  };
  if (type === 'olm.package') return `package ${words('packageName')} ${words('version')}`;
  if (type === 'olm.gvk') return `${words('kind')} of ${words('group')}/${words('version')}`;
  return `${formatBrief(type)} ${formatCanonicalJson(value)}`;
}
