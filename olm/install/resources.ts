import { builtinResource, builtinScope } from '../../kube/builtin-kinds.ts';
import { groupOf } from '../../kube/object.ts';

/** A kind by its resource name in RBAC rules, and whether its objects are namespaced. */
export interface InstalledResource {
  readonly group: string;
  readonly resource: string;
  readonly isNamespaced: boolean;
}

/** Kinds of others that OLM installs: those of bundles, and those for the certificates of webhooks. */
const others: Readonly<Record<string, readonly [resource: string, isNamespaced: boolean]>> = {
  'monitoring.coreos.com/PodMonitor': ['podmonitors', true],
  'monitoring.coreos.com/PrometheusRule': ['prometheusrules', true],
  'monitoring.coreos.com/ServiceMonitor': ['servicemonitors', true],
  'autoscaling.k8s.io/VerticalPodAutoscaler': ['verticalpodautoscalers', true],
  'cert-manager.io/Certificate': ['certificates', true],
  'cert-manager.io/Issuer': ['issuers', true],
  'console.openshift.io/ConsoleCLIDownload': ['consoleclidownloads', false],
  'console.openshift.io/ConsoleLink': ['consolelinks', false],
  'console.openshift.io/ConsolePlugin': ['consoleplugins', false],
  'console.openshift.io/ConsoleQuickStart': ['consolequickstarts', false],
  'console.openshift.io/ConsoleYAMLSample': ['consoleyamlsamples', false],
};

/** Returns the resource of a kind; undefined for a kind that OLM does not install. */
export function installedResource(apiVersion: string, kind: string): InstalledResource | undefined {
  const group = groupOf(apiVersion);
  const scope = builtinScope(group, kind);
  if (scope) return { ...builtinResource(group, kind), isNamespaced: scope === 'Namespaced' };
  const found = others[`${group}/${kind}`];
  return found && { group, resource: found[0], isNamespaced: found[1] };
}
