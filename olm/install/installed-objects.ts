import type { KubeObject } from '../../kube/object.ts';
import type { Bundle } from '../bundle/bundle.ts';
import type { Decoded } from '../bundle/decoded.ts';
import type { ClusterServiceVersionSpec } from '../bundle/csv/types.ts';
import { installedResource } from './resources.ts';
import { cutName, roleName, type GrantedRules } from './role-name.ts';

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
export function grantedRules({ install }: Spec): GrantedRules[] {
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
