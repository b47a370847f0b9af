import { createHash } from 'node:crypto';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { builtinResource, builtinScope } from '@tenantry/kube/builtin-kinds';
import type { Bundle } from '../bundle/bundle.ts';
import type { Decoded } from '../bundle/decoded.ts';
import type { ClusterServiceVersionSpec, StrategyRule } from '../bundle/csv/types.ts';

const RBAC = 'rbac.authorization.k8s.io';

type Spec = Decoded<ClusterServiceVersionSpec>;

/**
 * Builds the objects that OLM v1 creates from a bundle, which then watches all namespaces. All objects have their kinds
 * and names; those on which rights depend also have their contents. Objects for webhooks (Services, configurations, and
 * certificates by cert-manager) have only names, and Deployments lack the annotations that OLM adds. Objects without a
 * name are left out, and rules report them.
 *
 * Source: operator-controller v1.10, rukpak/render/registryv1
 */
export function buildInstalledObjects(bundle: Bundle, namespace: string): KubeObject[] {
  const { csv } = bundle;
  const name = csv?.value.metadata?.name ?? '';
  const spec: Spec = csv?.value.spec ?? {};
  return [
    ...accounts(spec, namespace),
    ...roles(spec, name, namespace),
    ...bundled(bundle, namespace),
    ...deployments(spec, namespace),
    ...webhooks(spec, namespace),
  ];
}

/** Returns the rules that a ClusterServiceVersion grants. OLM grants namespaced permissions in the whole cluster. */
function grantedRules({ install }: Spec): GrantedRules[] {
  const { permissions = [], clusterPermissions = [] } = install?.spec ?? {};
  const readsNamespaces = {
    verbs: ['get', 'list', 'watch'],
    apiGroups: [''],
    resources: ['namespaces'],
  };
  const lifted = permissions.map((one) => ({
    ...one,
    rules: [...(one.rules ?? []), readsNamespaces],
  }));
  return [...clusterPermissions, ...lifted];
}

/** Builds the ServiceAccounts, except for the default one, which exists in every namespace. */
function accounts({ install }: Spec, namespace: string): KubeObject[] {
  const { permissions = [], clusterPermissions = [] } = install?.spec ?? {};
  const names = [...permissions, ...clusterPermissions].map(accountOf);
  return [...new Set(names)]
    .filter((name) => name !== 'default')
    .toSorted()
    .map((name) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } }));
}

function roles(spec: Spec, bundle: string, namespace: string): KubeObject[] {
  const byName = new Map(grantedRules(spec).map((one) => [roleName(bundle, one), one]));
  return [...byName].flatMap(([name, granted]) => {
    const own = { apiVersion: `${RBAC}/v1`, metadata: { name } };
    const account = { kind: 'ServiceAccount', name: accountOf(granted), namespace };
    return [
      { ...own, kind: 'ClusterRole', rules: granted.rules ?? [] },
      {
        ...own,
        kind: 'ClusterRoleBinding',
        roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
        subjects: [account],
      },
    ];
  });
}

function accountOf({ serviceAccountName }: GrantedRules): string {
  return serviceAccountName || 'default';
}

/** Returns the other objects of the bundle; namespaced objects are moved to the operator's namespace. */
function bundled({ manifests }: Bundle, namespace: string): KubeObject[] {
  return manifests.flatMap(({ apiVersion, kind, name, value }) => {
    if (kind === 'ClusterServiceVersion' || name === '') return [];
    const { namespace: _, ...metadata } = { ...(value['metadata'] as KubeObject['metadata']) };
    const isNamespaced = installedResource(apiVersion, kind)?.isNamespaced ?? false;
    const placed = { ...metadata, name, ...(isNamespaced && { namespace }) };
    return [{ ...value, apiVersion, kind, metadata: placed }];
  });
}

function deployments({ install }: Spec, namespace: string): KubeObject[] {
  return (install?.spec?.deployments ?? []).flatMap(({ name, spec, label }) => {
    if (name === undefined) return [];
    const metadata = { name, namespace, ...(label && { labels: label as Record<string, string> }) };
    return [{ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec }];
  });
}

const configurationOf: Readonly<Record<string, string>> = {
  ValidatingAdmissionWebhook: 'ValidatingWebhookConfiguration',
  MutatingAdmissionWebhook: 'MutatingWebhookConfiguration',
};

function webhooks({ webhookdefinitions = [] }: Spec, namespace: string): KubeObject[] {
  const served = [...new Set(webhookdefinitions.map(({ deploymentName = '' }) => deploymentName))];
  return [
    ...webhookdefinitions.flatMap(({ type = '', generateName = '' }): KubeObject[] => {
      const kind = configurationOf[type];
      if (kind === undefined) return [];
      const metadata = { name: generateName.replace(/-$/, '') };
      return [{ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata }];
    }),
    ...served.flatMap((deployment) => {
      const service = cutName(deployment.replaceAll('.', '-'), 'service');
      const certificate = cutName(service, 'cert');
      const issuer = cutName(certificate, 'selfsigned-issuer');
      const apiVersion = 'cert-manager.io/v1';
      return [
        { apiVersion: 'v1', kind: 'Service', metadata: { name: service, namespace } },
        { apiVersion, kind: 'Issuer', metadata: { name: issuer, namespace } },
        { apiVersion, kind: 'Certificate', metadata: { name: certificate, namespace } },
      ];
    }),
  ];
}

/** The maximum length of a role name that OLM v1 creates, in characters. */
const MAX_NAME_LENGTH = 63;

/** The permissions of a ClusterServiceVersion that become a role. */
interface GrantedRules {
  readonly serviceAccountName?: string;
  readonly rules?: readonly Partial<StrategyRule>[];
}

/**
 * Computes the name of the ClusterRole, and of its binding, that OLM v1 creates for rules of a bundle. It consists of
 * the names of the ClusterServiceVersion and the account, truncated if they are too long, and a hash of the rules. The
 * name is therefore known before the bundle is installed.
 *
 * Source: operator-controller v1.0 to v1.11, rukpak/render and util/hash
 */
export function roleName(bundle: string, granted: GrantedRules): string {
  const account = granted.serviceAccountName || 'default';
  return cutName(`${bundle}-${account}`, hashRules(granted));
}

/** Appends a suffix to a name, which is truncated to at most 63 characters as OLM v1 does. */
export function cutName(base: string, suffix: string): string {
  const room = MAX_NAME_LENGTH - suffix.length - 1;
  return `${base.length + suffix.length > MAX_NAME_LENGTH ? base.slice(0, room) : base}-${suffix}`;
}

/** Computes SHA-224 of the rules in Go's JSON form, in base 36. */
function hashRules({ serviceAccountName = '', rules }: GrantedRules): string {
  const written = JSON.stringify({
    serviceAccountName,
    rules: rules === undefined ? null : rules.map(asGo),
  }).replaceAll(/[<>&\u2028\u2029]/g, escaped);
  const digest = createHash('sha224').update(`${written}\n`).digest('hex');
  return BigInt(`0x${digest}`).toString(36);
}

/** Orders the fields as Go's struct does, without empty lists. */
function asGo(rule: Partial<StrategyRule>): object {
  const { verbs = null, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  const lists = { apiGroups, resources, resourceNames, nonResourceURLs };
  const nonEmpty = Object.entries(lists).filter(
    ([, list]) => list !== undefined && list.length > 0,
  );
  return { verbs, ...Object.fromEntries(nonEmpty) };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

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
