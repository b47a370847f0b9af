import type { Finding } from '@tenantry/kube/finding';
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
import { formatInvalidCidr, parseCidr } from '@tenantry/kube/address';
import type { Platform, TenantClassDeclaration } from '../declaration.ts';
import { findExceptionConflict } from '../classes/exceptions.ts';
import { validateResourcePresets } from './presets.ts';
import { findAnnotationsFault, computeDeclaredSize, MAX_OBJECT } from './size.ts';
import { argocdRoles } from './argocd.ts';
import { allowedKinds } from './argocd-kinds.ts';
import { defineClassCheck, runChecks, type ClassCheck, type DeclaredClass } from './check.ts';
import { isLimitedResource } from './limits.ts';
import { BOUND_RULES, checkBound } from './quota.ts';
import { checkResourceNames } from './roles.ts';
import { listSelectorFaults } from '@tenantry/kube/label-selector';

/** Validates a class beyond its schema. */
export function validateClass(klass: TenantClassDeclaration, platform: Platform): Finding[] {
  const fault = findClassFault({ klass, platform });
  // The presets of a class with a parent are validated when the parent is known.
  const isAlone = klass.spec.extends === undefined;
  const presets = isAlone ? validateResourcePresets(klass, platform) : [];
  return [...(fault ? [fault] : []), ...presets];
}

/** Returns the first error of the class by itself. */
function findClassFault(subject: DeclaredClass): Finding | undefined {
  for (const check of ownChecks) {
    const [fault] = runChecks([check], subject);
    if (fault) return fault;
  }
  return undefined;
}

const metadataKeys = defineClassCheck(['key'], ({ klass }, report) => {
  for (const part of ['labels', 'annotations'] as const) {
    for (const key of Object.keys(klass[part] ?? {})) {
      if (isQualifiedName(key)) continue;
      const message = `must be a key such as 'example.com/name', got ${show(key)}`;
      report(['metadata', part, key], message, 'key');
    }
  }
});

const sizes = defineClassCheck(['annotations-size', 'object-size'], ({ klass }, report) => {
  const message = findAnnotationsFault(klass.annotations);
  if (message) report(['metadata', 'annotations'], message, 'annotations-size');
  const size = computeDeclaredSize(klass);
  if (size <= MAX_OBJECT) return;
  const must = `must be at most ${MAX_OBJECT} bytes, so that the cluster can keep the class`;
  report(['spec'], `${must}, got ${size}`, 'object-size');
});

const exceptions = defineClassCheck(['exception-conflict'], ({ klass }, report) => {
  const conflict = findExceptionConflict(klass.spec.exceptions ?? []);
  if (conflict) report(conflict.path, conflict.message, 'exception-conflict');
});

/** The checks of a class by itself, of which one finding is enough. */
const ownChecks: readonly ClassCheck[] = [metadataKeys, sizes, exceptions];

/**
 * Validates the settings of a class: its references to clusters, ClusterRoles, tenants and kinds, and the amounts and
 * address blocks of its ceilings.
 */
export function validateClassSettings(
  klass: TenantClassDeclaration,
  platform: Platform,
): Finding[] {
  return runChecks(settingChecks, { klass, platform });
}

const clusters = defineClassCheck(['cluster'], ({ klass, platform }, report) => {
  const known = platform.clusters.map(({ name }) => name);
  for (const [i, cluster] of (klass.spec.allow?.clusters ?? []).entries()) {
    if (known.includes(cluster)) continue;
    const hint = didYouMean(findNearest(cluster, known));
    const message = `must be a cluster of the platform (${formatList(known)}), got ${show(cluster)}${hint}`;
    report(['spec', 'allow', 'clusters', i], message, 'cluster', { unknownName: cluster });
  }
});

const clusterRoles = defineClassCheck(['cluster-role'], ({ klass: { spec } }, report) => {
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
    report(at, `must be a role for tenants, got ${show(name)}`, 'cluster-role');
  }
});

const allowedTenants = defineClassCheck(['selector'], ({ klass: { spec } }, report) => {
  for (const fault of listSelectorFaults(spec.allowedTenants?.selector)) {
    report(['spec', 'allowedTenants', 'selector'], fault, 'selector');
  }
});

/** The rules of roles that a class sets for its tenants, or offers as presets. */
const roleRules = defineClassCheck(['resource-names'], ({ klass: { spec } }, report) => {
  const { presets, defaults, environments = [] } = spec;
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
        checkResourceNames(rule, ['spec', ...at, i, 'rules', j], report);
      }
    }
  }
});

const quotaCeilings = defineClassCheck(BOUND_RULES, ({ klass: { spec } }, report) => {
  const { quota = {}, tenantQuota = {} } = spec.ceilings ?? {};
  for (const [field, amounts] of Object.entries({ quota, tenantQuota })) {
    for (const [key, amount] of Object.entries(amounts)) {
      checkBound(key, amount, ['spec', 'ceilings', field, key], report);
    }
  }
});

const types: readonly LimitItem['type'][] = [
  'Container',
  'Pod',
  'PersistentVolumeClaim',
  'openshift.io/Image',
];

const limitCeilings = defineClassCheck(['limit-resource'], ({ klass: { spec } }, report) => {
  for (const key of Object.keys(spec.ceilings?.limits ?? {})) {
    if (types.some((type) => isLimitedResource(type, key))) continue;
    const message = `must be a resource that a LimitRange bounds, got ${show(key)}`;
    report(['spec', 'ceilings', 'limits', formatBrief(key)], message, 'limit-resource');
  }
});

const addressBlocks = defineClassCheck(['cidr'], ({ klass: { spec } }, report) => {
  const { network = {} } = spec.ceilings ?? {};
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
      if (!parseCidr(cidr)) report(['spec', ...at, i], formatInvalidCidr(cidr), 'cidr');
    }
  }
});

const settingChecks: readonly ClassCheck[] = [
  clusters,
  clusterRoles,
  allowedTenants,
  roleRules,
  allowedKinds,
  argocdRoles,
  quotaCeilings,
  limitCeilings,
  addressBlocks,
];
