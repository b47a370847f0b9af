import { KUBERNETES_MINOR } from '@tenantry/crd/validation';
import type { PodSecurityLevel } from '@tenantry/kube/pod-security';
import { findPodTemplate } from '@tenantry/kube/pod-templates';
import { formatPath } from '@tenantry/kube/problem';
import { podSecurityLevels } from '../../crds/workload.ts';
import { servesMutatingPolicies } from '../hardening/policies.ts';
import { listPodSecurityRefusals, type PodSecurityBounds } from '../pod-admission/pod-security.ts';
import type { RuleContext, TenantReporter } from './context.ts';
import { defineNamespaceCheck } from './check.ts';
import { listNamespaceResources, locateResource } from './declared-resources.ts';

/**
 * Validates that the enforced level of Pod Security admits the pods of the tenant's workloads. The API server accepts a
 * Deployment whatever its pods are, and refuses the pods later.
 *
 * A field that `restricted` requires and that is not set is only a warning. Webhooks and OpenShift fill in such fields
 * before the check, and fleets with such workloads exist. They do not change a value that is set.
 */
export const podSecurityWorkloads = defineNamespaceCheck(['pod-security'], checkPods);

function checkPods(context: RuleContext, report: TenantReporter<'pod-security'>): void {
  const { namespace } = context;
  const bounds = readBounds(context);
  if (!bounds || namespace.lifecycle !== 'Active') return;
  const reason = `${formatLevelSource(context)} is ${bounds.level}, which refuses the pod`;
  for (const resource of listNamespaceResources(namespace)) {
    const template = findPodTemplate(resource.manifest);
    if (!template) continue;
    for (const { path, message, isUnset } of listPodSecurityRefusals(template, bounds)) {
      const { place, of } = locateResource(context, resource, [...template.path, ...path]);
      const end = isUnset ? ' unless a webhook fills it in' : '';
      report(place, `${message}: ${reason}${end}${of}`, 'pod-security', {
        ...(isUnset && { severity: 'warning' }),
      });
    }
  }
}

/** Reads what the namespace enforces; undefined if it enforces no level. */
function readBounds({ tenant, namespace }: RuleContext): PodSecurityBounds | undefined {
  const { enforce: level, version } = namespace.settings.podSecurity;
  if (!isLevel(level)) return undefined;
  const { kubernetesVersion } =
    tenant.platform.clusters.find(({ name }) => name === namespace.cluster) ?? {};
  const ofCluster = parseMinor(kubernetesVersion ?? KUBERNETES_MINOR);
  const isPinned = version !== undefined && version !== 'latest';
  return {
    level,
    minor: isPinned ? Math.min(parseMinor(version), ofCluster) : ofCluster,
    hasDefaults:
      tenant.klass.spec.hardening?.podDefaults === 'Restricted' &&
      servesMutatingPolicies(kubernetesVersion),
  };
}

const isLevel = (level: string | undefined): level is PodSecurityLevel =>
  level !== undefined && podSecurityLevels.includes(level);

/** Parses the minor version of `1.36` or `v1.36`. */
const parseMinor = (version: string): number => Number(version.split('.')[1]);

/** Formats the field that sets the level: of the tenant, or of its class. */
function formatLevelSource({ tenant, namespace, where }: RuleContext): string {
  const { path, by } = where('podSecurity', 'enforce');
  if (by === 'tenant' && path.at(-1) === 'enforce') return formatPath(path);
  const { klass } = tenant;
  const classes = [klass, ...(klass.base ? [klass.base] : [])];
  const setter =
    classes.find(({ spec }) =>
      spec.environments?.some(
        ({ name, podSecurity }) => name === namespace.environment && podSecurity?.enforce,
      ),
    ) ?? classes.find(({ spec }) => spec.defaults?.podSecurity?.enforce);
  return setter
    ? `podSecurity.enforce of class ${setter.name}`
    : 'the built-in podSecurity.enforce';
}
