import { show } from '@tenantry/kube/problem';
import type { KubeObject } from '@tenantry/kube/object';
import { findSeverity } from '../findings/tenant-rules.ts';
import { computeMaxPods, type ExtraResource } from '../layers/resolved.ts';
import { findCompetingWriters } from '../competing-writers.ts';
import { CLASS_PRESET_RULE } from '../layers/resources.ts';
import { formatOrigin, findValueSource, type Origin } from '../resource-presets/preset-objects.ts';
import { belongsToNamespace } from '../objects/workload.ts';
import type { RuleContext, RuleReporter, TenantReporter } from './context.ts';
import { defineNamespaceCheck } from './check.ts';
import { KEY_RULES, checkKeys } from './keys.ts';
import { listSelectorFaults } from '@tenantry/kube/label-selector';
import { checkDeclaredObject, objectRules, type ObjectRule } from './object-rules.ts';

/** Validates service accounts and disruption budgets: keys and selectors that Kubernetes accepts. */
export const workload = defineNamespaceCheck(
  [...KEY_RULES, 'pull-secrets', 'disruption-budget', 'selector', 'disruption-budget-blocks'],
  checkWorkload,
);

type WorkloadRule =
  | (typeof KEY_RULES)[number]
  | 'pull-secrets'
  | 'disruption-budget'
  | 'selector'
  | 'disruption-budget-blocks';

function checkWorkload(
  { tenant, namespace, where }: RuleContext,
  report: TenantReporter<WorkloadRule>,
): void {
  const { serviceAccounts, imagePullSecrets, disruptionBudgets } = namespace.settings;
  for (const account of serviceAccounts) {
    checkKeys(account, () => where('serviceAccounts'), { klass: tenant.klass, report });
  }
  if (imagePullSecrets.length > 0 && serviceAccounts.length === 0) {
    const message = `must have a service account to go to, got none in namespace ${namespace.name}: declare ${show('default')} in serviceAccounts`;
    report(where('imagePullSecrets'), message, 'pull-secrets');
  }
  for (const budget of disruptionBudgets) {
    const { name, selector, minAvailable, maxUnavailable } = budget;
    const at = { ...where('disruptionBudgets'), setting: ['disruptionBudgets', name] };
    if (minAvailable !== undefined && maxUnavailable !== undefined) {
      const message = `must have either minAvailable or maxUnavailable, got both in ${show(name)}: one comes from an earlier layer`;
      report(at, message, 'disruption-budget');
    }
    for (const fault of listSelectorFaults(selector)) {
      report(at, `${fault} in ${show(name)}`, 'selector');
    }
    const pods = Math.min(PODS, computeMaxPods(namespace.settings.quota.hard) ?? PODS);
    if (minAvailable !== undefined && pods > 0 && computeNeededPods(minAvailable, pods) >= pods) {
      const message = `must let a pod be evicted, or no node can be drained, got minAvailable ${show(minAvailable)} in ${show(name)}, where there are at most ${pods} pods`;
      report(at, message, 'disruption-budget-blocks');
    }
  }
}

/** The number of pods of the largest clusters: https://kubernetes.io/docs/setup/best-practices/cluster-large/ */
const PODS = 150_000;

/** Computes the number of needed pods. Percentages are rounded up: 99% of ten pods are ten. */
function computeNeededPods(minAvailable: string | number, pods: number): number {
  if (typeof minAvailable === 'number') return minAvailable;
  return Math.ceil((Number.parseInt(minAvailable, 10) * pods) / 100);
}

/** Validates the further objects of a namespace, with the same rules for literal manifests and for rendered presets. */
export const resources = defineNamespaceCheck(
  [...objectRules, 'resource-namespace', 'competing-writer', CLASS_PRESET_RULE],
  checkResources,
);

type ResourceRule = ObjectRule | 'resource-namespace' | 'competing-writer';

function checkResources(
  context: RuleContext,
  report: TenantReporter<ResourceRule | typeof CLASS_PRESET_RULE>,
): void {
  const { tenant, namespace } = context;
  const { klass, platform } = tenant;
  const clusters = platform.clusters.filter(({ name }) => name === namespace.cluster);
  const objects: [KubeObject, RuleReporter<ResourceRule>][] = [];
  for (const resource of namespace.settings.resources) {
    const refuse: RuleReporter<ResourceRule> = resource.origin
      ? createPresetReport(resource, resource.origin, report)
      : (at, ...rest) => report([...resource.path, ...at], ...rest);
    const { manifest } = resource;
    if (!checkDeclaredObject({ manifest, klass, platform, clusters }, refuse)) continue;
    checkNamespace(context, resource, refuse);
    if (belongsToNamespace(namespace.name, resource)) objects.push([manifest, refuse]);
  }
  const refusals = new Map(objects);
  for (const { object, path, message } of findCompetingWriters([...refusals.keys()])) {
    refusals.get(object)!(path, message, 'competing-writer');
  }
}

/**
 * Moves findings about a rendered object to the value that it comes from, or else to the use of the preset. Findings
 * about the preset itself are reported where the class is declared.
 */
function createPresetReport(
  { path, byTenant }: ExtraResource,
  origin: Origin,
  report: TenantReporter<ResourceRule | typeof CLASS_PRESET_RULE>,
): RuleReporter<ResourceRule> {
  return (at, message, rule, { severity, aspect, before } = {}) => {
    const sources = [at, ...(before ? [before] : [])].map((one) =>
      findValueSource(origin, one, aspect),
    );
    const values = rule === 'resource-size' ? [] : sources.find((one) => one.values)?.values;
    const part = values ? ['values', ...values] : ['preset'];
    const isPresets = !values && !sources.some(({ surroundings }) => surroundings);
    // The class already reports it as a warning.
    if (isPresets && (severity ?? findSeverity(rule)) === 'warning') return;
    const words = `${message} (${formatOrigin(origin, at)})`;
    const reportedRule = isPresets ? CLASS_PRESET_RULE : rule;
    report(byTenant ? [...path, ...part] : path, words, reportedRule, {
      ...(severity && { severity }),
    });
  };
}

/**
 * Validates the namespace of an object: it belongs in that namespace's entry, or in the resources for all namespaces.
 */
function checkNamespace(
  { tenant, namespace }: RuleContext,
  { manifest, path }: ExtraResource,
  refuse: RuleReporter<'resource-namespace'>,
): void {
  const where = manifest.metadata.namespace;
  if (where === undefined) return;
  const at = ['metadata', 'namespace'];
  if (!tenant.namespaces.some((own) => own.name === where)) {
    const message = `must be a namespace of the tenant, got ${show(where)}`;
    refuse(at, message, 'resource-namespace');
  } else if (path[1] === 'namespaces' && where !== namespace.name) {
    const own = show(namespace.name);
    const message = `must be left out or ${own}, whose entry it is in, got ${show(where)}`;
    refuse(at, message, 'resource-namespace');
  }
}
