import { didYouMean, formatList, findNearest, show } from '@tenantry/kube/problem';
import { showUnlessSecret } from '@tenantry/kube/secret';
import type { LabelSelector } from '@tenantry/crd/schema/language';
import { helpsToMatch, NAME_LABEL } from '@tenantry/kube/label-selector';
import { A_LABEL_VALUE, isLabelValue, isQualifiedName } from '@tenantry/kube/names';
import { podSecurityLevels } from '../../crds/workload.ts';
import type { Platform } from '../declaration.ts';
import type { RuleContext, TenantReporter } from './context.ts';
import { defineNamespaceCheck } from './check.ts';
import {
  KEY_RULES,
  explainReservedKey,
  formatClosedKey,
  isOpen,
  listOpenNamespaceKeys,
  type OpenPart,
} from './keys.ts';

/** Validates labels, annotations and contact of the namespace against what the class sets and allows. */
export const namespaceMetadata = defineNamespaceCheck(
  [...KEY_RULES, 'contact-key'],
  (context, report) => {
    const { platform } = context.tenant;
    const { contact } = context.namespace.settings;
    checkPart(context, 'labels', report);
    checkPart(context, 'annotations', report);
    const known = Object.keys(platform.metadataKeys);
    for (const key of Object.keys(contact)) {
      if (!known.includes(key)) {
        const must = `must be a key that the platform names in metadataKeys (${formatList(known)})`;
        const message = `${must}, got ${show(key)}${didYouMean(findNearest(key, known))}`;
        report(context.where('contact', key), message, 'contact-key', { unknownName: key });
      }
    }
  },
);

function checkPart(
  { tenant, namespace, where }: RuleContext,
  part: OpenPart,
  report: TenantReporter<(typeof KEY_RULES)[number]>,
): void {
  const { platform, klass } = tenant;
  const open = listOpenNamespaceKeys(klass.spec, part);
  for (const [key, value] of Object.entries(namespace.settings[part])) {
    const at = where(part, key);
    const isWhole = at.path.at(-2) === part && at.path.at(-1) === key;
    const byTenant = isWhole && at.by === 'tenant';
    const reserved =
      explainReservedNamespaceKey(key) ??
      (part === 'labels' && byTenant ? explainTrustedLabel(platform, key, value) : undefined);
    if (reserved !== undefined) {
      report(at, `must not be set: the key ${show(key)} ${reserved}`, 'reserved-key');
    } else if (!isQualifiedName(key)) {
      report(at, `must be a key such as 'example.com/name', got ${show(key)}`, 'key');
    } else if (part === 'labels' && !isLabelValue(value) && !value.includes('{')) {
      const got = `${showUnlessSecret([key], value)} for ${show(key)} in namespace ${namespace.name}`;
      report(at, `must be ${A_LABEL_VALUE}, got ${got}`, 'key');
    } else if (byTenant && !isOpen(open, key, value)) {
      const message = formatClosedKey(open, part, klass.name, [key, value]);
      report(at, message, 'metadata-key');
    }
  }
}

/** Explains why nobody may set a key: a field of Tenantry, Argo CD or Tenantry itself sets it. */
function explainReservedNamespaceKey(key: string): string | undefined {
  if (key.startsWith('pod-security.kubernetes.io/')) return 'is set by podSecurity';
  return key === NAME_LABEL ? 'is set by the API server' : explainReservedKey(key);
}

/** Explains why a label is trusted on the platform: with it the namespace would pass for another. */
function explainTrustedLabel(platform: Platform, key: string, value: string): string | undefined {
  if (platform.trustedLabels.includes(key)) return 'is trusted on the platform';
  for (const selector of trustedSelectors(platform)) {
    if (helpsToMatch(selector, key, value)) {
      return `with the value ${showUnlessSecret([key], value)} is trusted by a network policy of the platform`;
    }
  }
  return undefined;
}

const selectorCache = new WeakMap<Pick<Platform, 'clusters'>, readonly LabelSelector[]>();

/** Lists the namespace selectors by which policies of the platform admit traffic. */
export function trustedSelectors(platform: Pick<Platform, 'clusters'>): readonly LabelSelector[] {
  let selectors = selectorCache.get(platform);
  if (!selectors) {
    selectors = platform.clusters
      .flatMap((cluster) => [...cluster.ingressControllers, ...cluster.monitoring, ...cluster.dns])
      .flatMap((peer) => (peer.namespaceSelector ? [peer.namespaceSelector] : []));
    selectorCache.set(platform, selectors);
  }
  return selectors;
}

/** Validates that the enforced level is at least as strict as the class requires; no level is the most open one. */
export const podSecurity = defineNamespaceCheck(['ceiling-pod-security'], checkPodSecurity);

function checkPodSecurity(
  { tenant, namespace, where }: RuleContext,
  report: TenantReporter<'ceiling-pod-security'>,
): void {
  const ceiling = tenant.klass.spec.ceilings?.podSecurity;
  if (ceiling === undefined) return;
  const level = namespace.settings.podSecurity['enforce'];
  const rank = level === undefined ? 0 : podSecurityLevels.indexOf(level);
  if (rank < podSecurityLevels.indexOf(ceiling)) {
    report(
      where('podSecurity', 'enforce'),
      `must be at least ${ceiling} (ceiling of class ${tenant.klass.name}), got ${show(level ?? 'none')} in namespace ${namespace.name}`,
      'ceiling-pod-security',
    );
  }
  const { version } = namespace.settings.podSecurity;
  const at = where('podSecurity', 'version');
  if (ceiling === 'privileged' || version === undefined || version === 'latest') return;
  if (at.path.at(-1) === 'version' && at.by === 'tenant') {
    report(
      at,
      `must be latest or left out under the ceiling of class ${tenant.klass.name}, since older versions ask less, got ${show(version)}`,
      'ceiling-pod-security',
    );
  }
}
