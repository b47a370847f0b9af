import type { KubeObject } from '../../kube/object.ts';
import type { Bundle } from '../bundle/bundle.ts';
import type { Decoded } from '../bundle/decoded.ts';
import type { ClusterServiceVersionSpec } from '../bundle/csv/types.ts';
import { installedResource } from './resources.ts';
import { cutName, roleName, type GrantedRules } from './role-name.ts';

const RBAC = 'rbac.authorization.k8s.io';

type Spec = Decoded<ClusterServiceVersionSpec>;

/**
 * The objects that OLM v1 makes of a bundle, which then watches all namespaces: by kinds and names all of them,
 * and with their contents those of which something depends for rights. What is made for webhooks (Services,
 * configurations, and certificates by cert-manager) has its name alone, and Deployments lack the annotations that
 * OLM adds. What has no name is left out: rules say so.
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

/** What a ClusterServiceVersion grants. OLM lifts what is granted in namespaces to the whole cluster. */
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

/** That of the namespace itself is there already. */
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

/** What lies in the bundle besides: what lies in namespaces goes to that of the operator. */
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
