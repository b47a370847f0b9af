import { nearest, show } from '../../../crds/problem.ts';
import type { LabelSelector } from '../../../crds/kubernetes.ts';
import type { Platform } from '../declaration.ts';
import { helpsToMatch } from '../selector.ts';
import type { RuleContext } from './context.ts';
import { isQualifiedName } from '../../../crds/syntax.ts';
import { reservedEverywhere } from './keys.ts';

/** Keys with which a namespace leaves an admission webhook, by group or in full. */
const webhookOptOuts = [
  'admission.gatekeeper.sh/',
  'admission.policies.kyverno.io/',
  'webhooks.kyverno.io/',
  'cert-manager.io/disable-validation',
  'config.linkerd.io/admission-webhooks',
  'openpolicyagent.org/webhook',
  'control-plane',
];

/** Keys by which OpenShift places pods, lets them run as anyone, and watches its own namespaces. */
const openshift =
  /^(openshift\.io\/(node-selector|run-level|cluster-monitoring|sa\.scc\..*)|security\.openshift\.io\/.*)$/;

/** Annotations by which a network plugin gives a namespace addresses and routes. */
const routing = /^(k8s\.ovn\.org|cni\.projectcalico\.org)\//;

/** A key that Kubernetes, Argo CD or Tenantry reads, with the reason why no tenant may set it. */
export function reservedOnNamespaces(key: string): string | undefined {
  const prefix = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  if (/(^|\.)(kubernetes|k8s|x-k8s)\.io$/.test(prefix)) {
    return prefix === 'pod-security.kubernetes.io'
      ? 'is set by podSecurity'
      : 'is reserved for Kubernetes';
  }
  if (webhookOptOuts.some((one) => (one.endsWith('/') ? key.startsWith(one) : key === one))) {
    return 'would take the namespace out of an admission webhook';
  }
  if (openshift.test(key)) return 'decides where and as whom pods run';
  if (routing.test(key)) return 'is read by the network of the cluster';
  return reservedEverywhere(key);
}

/** Labels, annotations and contact of the namespace. */
export function metadataRules({ tenant, namespace, where, report }: RuleContext): void {
  const { platform } = tenant;
  const { labels, annotations, contact } = namespace.settings;
  for (const [field, keys] of Object.entries({ labels, annotations })) {
    for (const [key, value] of Object.entries(keys)) {
      const at = where(field, key);
      const reserved =
        reservedOnNamespaces(key) ??
        (field === 'labels' && at.at(-1) === key ? trusted(platform, key, value) : undefined);
      if (reserved !== undefined) {
        report(at, `must not be set: the key ${show(key)} ${reserved}`, 'reserved-key');
      } else if (!isQualifiedName(key)) {
        report(at, `must be a label key such as 'example.com/name', got ${show(key)}`, 'key');
      }
    }
  }
  const known = Object.keys(platform.metadataKeys);
  for (const key of Object.keys(contact)) {
    if (!known.includes(key)) {
      const meant = nearest(key, known);
      report(
        where('contact', key),
        `must be a key that the platform names in metadataKeys (${known.join(', ')}), got ${show(key)}${meant ? `; did you mean ${show(meant)}?` : ''}`,
        'contact-key',
      );
    }
  }
}

/** A label that something on the platform trusts: with it the namespace would pass for another. */
function trusted(platform: Platform, key: string, value: string): string | undefined {
  if (platform.trustedLabels.includes(key)) return 'is trusted on the platform';
  for (const selector of trustedSelectors(platform)) {
    if (helpsToMatch(selector, key, value)) {
      return `with the value ${show(value)} is trusted by a network policy of the platform`;
    }
  }
  return undefined;
}

const selectorsOf = new WeakMap<Platform, readonly LabelSelector[]>();

/** The selectors of namespaces by which policies of the platform let somebody in. */
export function trustedSelectors(platform: Platform): readonly LabelSelector[] {
  let selectors = selectorsOf.get(platform);
  if (!selectors) {
    selectors = platform.clusters
      .flatMap((cluster) => [...cluster.ingressControllers, ...cluster.monitoring, ...cluster.dns])
      .flatMap((peer) => (peer.namespaceSelector ? [peer.namespaceSelector] : []));
    selectorsOf.set(platform, selectors);
  }
  return selectors;
}
