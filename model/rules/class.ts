import type { Finding } from '@tenantry/kube/finding';
import { errorAt, warningAt } from '../findings/tenant-finding.ts';
import {
  show,
  formatBrief,
  didYouMean,
  formatList,
  findNearest,
  type Path,
} from '@tenantry/kube/problem';
import { isQualifiedName } from '@tenantry/kube/names';
import type { LimitItem } from '../../crds/quota.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { formatInvalidCidr, parseCidr } from '@tenantry/kube/cidr';
import type { Platform, TenantClassDeclaration } from '../declaration.ts';
import { findExceptionConflict } from '../classes/exceptions.ts';
import { validateResourcePresets } from './presets.ts';
import { findAnnotationsFault, computeDeclaredSize, MAX_OBJECT } from './size.ts';
import { validateArgoCDRoles, validateAllowedKinds } from './argocd.ts';
import type { RuleReporter } from './context.ts';
import { isResourceOf } from './limits.ts';
import { checkBound } from './quota.ts';
import { checkResourceNames } from './roles.ts';
import { listSelectorFaults } from '@tenantry/kube/label-selector-faults';

/** Validates a class beyond its schema. */
export function validateClass(klass: TenantClassDeclaration, platform: Platform): Finding[] {
  const fault = findClassFault(klass);
  // The presets of a class with a parent are validated when the parent is known.
  const isAlone = klass.spec.extends === undefined;
  const presets = isAlone ? validateResourcePresets(klass, platform) : [];
  return [...(fault ? [fault] : []), ...presets];
}

/** Returns the first error of the class by itself. */
function findClassFault(klass: TenantClassDeclaration): Finding | undefined {
  for (const part of ['labels', 'annotations'] as const) {
    const key = Object.keys(klass[part] ?? {}).find((one) => !isQualifiedName(one));
    if (key === undefined) continue;
    const message = `must be a key such as 'example.com/name', got ${show(key)}`;
    return errorAt(['metadata', part, key], message, 'key');
  }
  const message = findAnnotationsFault(klass.annotations);
  if (message) return errorAt(['metadata', 'annotations'], message, 'annotations-size');
  const size = computeDeclaredSize(klass);
  if (size <= MAX_OBJECT) return findExceptionConflict(klass.spec.exceptions ?? []);
  const must = `must be at most ${MAX_OBJECT} bytes, so that the cluster can keep the class`;
  return errorAt(['spec'], `${must}, got ${size}`, 'object-size');
}

/** Validates the references of a class: clusters of the platform, ClusterRoles, tenants by their labels. */
export function validateClassReferences(
  klass: TenantClassDeclaration,
  platform: Platform,
): Finding[] {
  const { spec } = klass;
  const findings: Finding[] = [];
  const known = platform.clusters.map(({ name }) => name);
  for (const [i, cluster] of (spec.allow?.clusters ?? []).entries()) {
    if (known.includes(cluster)) continue;
    const hint = didYouMean(findNearest(cluster, known));
    const message = `must be a cluster of the platform (${formatList(known)}), got ${show(cluster)}${hint}`;
    const found = errorAt(['spec', 'allow', 'clusters', i], message, 'cluster');
    findings.push({ ...found, about: { unknownName: cluster } });
  }
  const given = Object.entries(spec.roles ?? {}).map(([who, name]) => ({
    name,
    at: ['spec', 'roles', who],
  }));
  const allowed = (spec.allow?.clusterRoles ?? []).map((name, i) => ({
    name,
    at: ['spec', 'allow', 'clusterRoles', i],
  }));
  for (const { name, at } of [...given, ...allowed]) {
    if (name !== 'cluster-admin' && !name.startsWith('system:')) continue;
    findings.push(errorAt(at, `must be a role for tenants, got ${show(name)}`, 'cluster-role'));
  }
  for (const fault of listSelectorFaults(spec.allowedTenants?.selector)) {
    findings.push(errorAt(['spec', 'allowedTenants', 'selector'], fault, 'selector'));
  }
  findings.push(...validateClassRoles(spec));
  findings.push(...validateAllowedKinds(spec, platform), ...validateArgoCDRoles(klass));
  return findings;
}

/** Validates the rules of roles that a class sets for its tenants, or offers as presets. */
function validateClassRoles({ presets, defaults, environments = [] }: TenantClassSpec): Finding[] {
  const findings: Finding[] = [];
  const layers = [
    { at: ['defaults', 'access', 'roles'], roles: defaults?.access?.roles },
    ...environments.map(({ access }, i) => ({
      at: ['environments', i, 'access', 'roles'],
      roles: access?.roles,
    })),
    { at: ['presets', 'roles'], roles: presets?.roles },
  ];
  for (const { at, roles = [] } of layers) {
    for (const [i, { rules = [] }] of roles.entries()) {
      for (const [j, rule] of rules.entries()) {
        const path = ['spec', ...at, i, 'rules', j];
        checkResourceNames(rule, path, (...found) =>
          findings.push(warningAt(found[0], found[1], found[2])),
        );
      }
    }
  }
  return findings;
}

const types: readonly LimitItem['type'][] = [
  'Container',
  'Pod',
  'PersistentVolumeClaim',
  'openshift.io/Image',
];

/** Validates the ceilings of a class: amounts of countable resources, and address blocks. */
export function validateCeilings({ spec }: TenantClassDeclaration): Finding[] {
  const findings: Finding[] = [];
  const refuse: RuleReporter = (path, message, rule) => {
    findings.push(errorAt(path, message, rule));
  };
  const { quota = {}, tenantQuota = {}, limits = {}, network = {} } = spec.ceilings ?? {};
  for (const [field, amounts] of Object.entries({ quota, tenantQuota })) {
    for (const [key, amount] of Object.entries(amounts)) {
      checkBound(key, amount, ['spec', 'ceilings', field, key], refuse);
    }
  }
  for (const key of Object.keys(limits)) {
    if (types.some((type) => isResourceOf(type, key))) continue;
    const message = `must be a resource that a LimitRange bounds, got ${show(key)}`;
    refuse(['spec', 'ceilings', 'limits', formatBrief(key)], message, 'limit-resource');
  }
  const { networkPolicies, services } = spec.selfService ?? {};
  const blocks: [Path, readonly string[] | undefined][] = [
    [['ceilings', 'network', 'ingressFrom', 'cidrs'], network.ingressFrom?.cidrs],
    [['ceilings', 'network', 'egressTo', 'cidrs'], network.egressTo?.cidrs],
    [
      ['selfService', 'networkPolicies', 'ingressFrom', 'cidrs'],
      networkPolicies?.ingressFrom?.cidrs,
    ],
    [['selfService', 'networkPolicies', 'egressTo', 'cidrs'], networkPolicies?.egressTo?.cidrs],
    [['selfService', 'services', 'externalIPs'], services?.externalIPs],
  ];
  for (const [at, cidrs = []] of blocks) {
    for (const [i, cidr] of cidrs.entries()) {
      if (parseCidr(cidr)) continue;
      const message = formatInvalidCidr(cidr);
      refuse(['spec', ...at, i], message, 'cidr');
    }
  }
  return findings;
}
