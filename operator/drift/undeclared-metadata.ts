import type { Platform } from '../../model/declaration.ts';
import { matchesName } from '../../model/name-pattern.ts';
import { trustedSelectors } from '../../model/rules/namespace.ts';
import { helpsToMatch, NAME_LABEL } from '@tenantry/kube/label-selector';
import { omitUndefined } from '@tenantry/kube/mapping';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import type { KeptLive, TenantObjects } from '../cluster/tenant-objects.ts';
import type { PathStep } from './difference.ts';

/** Keys of Namespaces that a program reads as instructions, and the document that defines them. */
interface DecidingKeys {
  readonly program: string;
  /** Full keys, or prefixes that end in `*`. */
  readonly labels?: readonly string[];
  readonly annotations?: readonly string[];
  readonly source: string;
}

const fluxKeys = ['prune', 'reconcile', 'ssa', 'force'].map(
  (name) => `kustomize.toolkit.fluxcd.io/${name}`,
);

/**
 * Keys by which well-known programs decide how they treat a namespace: its mesh, its access, and whether its objects
 * are checked, backed up or deleted. Keys that a program writes on every namespace it knows are not included.
 */
export const decidingKeys: readonly DecidingKeys[] = [
  {
    program: 'Istio',
    labels: [
      'istio-injection',
      'istio.io/rev',
      'istio.io/dataplane-mode',
      'istio.io/use-waypoint',
      'istio.io/use-waypoint-namespace',
      'istio.io/ingress-use-waypoint',
      'topology.istio.io/network',
    ],
    source: 'https://istio.io/latest/docs/reference/config/labels/',
  },
  {
    program: 'Linkerd',
    annotations: ['linkerd.io/inject', 'config.linkerd.io/*', 'config.alpha.linkerd.io/*'],
    source: 'https://linkerd.io/2/reference/proxy-configuration/',
  },
  {
    program: 'Kuma',
    labels: ['kuma.io/sidecar-injection', 'kuma.io/mesh'],
    annotations: ['kuma.io/sidecar-injection', 'kuma.io/mesh'],
    source: 'https://developer.konghq.com/mesh/annotations/',
  },
  {
    program: 'AWS App Mesh',
    labels: ['appmesh.k8s.aws/sidecarInjectorWebhook'],
    source: 'https://aws.github.io/aws-app-mesh-controller-for-k8s/reference/injector/',
  },
  {
    program: 'Gatekeeper',
    labels: ['admission.gatekeeper.sh/ignore'],
    source: 'https://open-policy-agent.github.io/gatekeeper/website/docs/exempt-namespaces/',
  },
  {
    program: 'AKS',
    labels: ['control-plane', 'kubernetes.azure.com/managedby'],
    source: 'https://github.com/Azure/AKS/issues/4002',
  },
  {
    program: 'cert-manager',
    labels: ['cert-manager.io/disable-validation'],
    source:
      'https://github.com/cert-manager/cert-manager/blob/master/deploy/charts/cert-manager/values.yaml',
  },
  {
    program: 'OpenShift',
    labels: ['security.openshift.io/scc.podSecurityLabelSync', 'openshift.io/cluster-monitoring'],
    annotations: ['openshift.io/node-selector'],
    source: 'https://docs.redhat.com/en/documentation/openshift_container_platform/4.21',
  },
  {
    program: 'OVN-Kubernetes',
    labels: ['k8s.ovn.org/primary-user-defined-network'],
    source: 'https://ovn-kubernetes.io/features/user-defined-networks/user-defined-networks/',
  },
  {
    program: 'Calico',
    annotations: ['cni.projectcalico.org/ipv4pools', 'cni.projectcalico.org/ipv6pools'],
    source: 'https://docs.tigera.io/calico/latest/networking/ipam/legacy-firewalls',
  },
  {
    program: 'Rancher',
    labels: ['field.cattle.io/projectId'],
    annotations: ['field.cattle.io/projectId'],
    source:
      'https://ranchermanager.docs.rancher.com/how-to-guides/new-user-guides/manage-namespaces',
  },
  {
    program: 'Capsule',
    labels: ['capsule.clastix.io/tenant'],
    source: 'https://projectcapsule.dev/docs/tenants/namespaces/',
  },
  {
    program: 'HNC',
    annotations: ['hnc.x-k8s.io/subnamespace-of'],
    source:
      'https://github.com/kubernetes-retired/hierarchical-namespaces/blob/master/docs/user-guide/concepts.md',
  },
  {
    program: 'kiam and kube2iam',
    annotations: ['iam.amazonaws.com/permitted', 'iam.amazonaws.com/allowed-roles'],
    source: 'https://github.com/uswitch/kiam, https://github.com/jtblin/kube2iam',
  },
  {
    program: 'AWS Controllers for Kubernetes',
    annotations: ['services.k8s.aws/*'],
    source:
      'https://aws-controllers-k8s.github.io/community/docs/user-docs/cross-account-resource-management/',
  },
  {
    program: 'Config Connector',
    annotations: [
      'cnrm.cloud.google.com/project-id',
      'cnrm.cloud.google.com/folder-id',
      'cnrm.cloud.google.com/organization-id',
    ],
    source: 'https://cloud.google.com/config-connector/docs/how-to/organizing-resources/overview',
  },
  {
    program: 'Argo CD',
    labels: ['argocd.argoproj.io/managed-by'],
    annotations: [
      'argocd.argoproj.io/sync-options',
      'argocd.argoproj.io/compare-options',
      'argocd.argoproj.io/hook',
      'argocd.argoproj.io/hook-delete-policy',
    ],
    source: 'https://argo-cd.readthedocs.io/en/stable/user-guide/annotations-and-labels/',
  },
  {
    program: 'Flux',
    labels: fluxKeys,
    annotations: fluxKeys,
    source: 'https://fluxcd.io/flux/components/kustomize/kustomizations/',
  },
  {
    program: 'Helm',
    annotations: ['meta.helm.sh/release-name', 'helm.sh/resource-policy', 'helm.sh/hook*'],
    source: 'https://helm.sh/docs/howto/charts_tips_and_tricks/',
  },
  {
    program: 'Velero',
    labels: ['velero.io/exclude-from-backup'],
    source: 'https://velero.io/docs/main/resource-filtering/',
  },
  {
    program: 'kube-janitor',
    annotations: ['janitor/ttl', 'janitor/expires'],
    source: 'https://codeberg.org/hjacobs/kube-janitor',
  },
  {
    program: 'kube-downscaler',
    annotations: ['downscaler/*'],
    source: 'https://codeberg.org/hjacobs/kube-downscaler',
  },
  {
    program: 'Chaos Mesh',
    annotations: ['chaos-mesh.org/inject'],
    source: 'https://chaos-mesh.org/docs/configure-enabled-namespace/',
  },
];

const labels = decidingKeys.flatMap((one) => one.labels ?? []);
const annotations = decidingKeys.flatMap((one) => one.annotations ?? []);

/** The part of a platform that defines which labels it trusts. */
export type PlatformTrust = Pick<Platform, 'trustedLabels' | 'clusters'>;

/**
 * Whether a label of a Namespace decides something. That holds for `decidingKeys`, for the platform's `trustedLabels`,
 * and for labels by which a selector of the platform's own policies admits the namespace.
 */
export function isDecidingLabel(platform: PlatformTrust, key: string, value: string): boolean {
  if (key === NAME_LABEL) return false;
  return (
    platform.trustedLabels.includes(key) ||
    matchesName(labels, key) ||
    trustedSelectors(platform).some((selector) => helpsToMatch(selector, key, value))
  );
}

/** Whether an annotation of a Namespace decides something. */
export function isDecidingAnnotation(key: string): boolean {
  return matchesName(annotations, key);
}

/** An undeclared part of an object's metadata that decides something. */
export interface UndeclaredMetadata {
  readonly holder: KeptLive;
  readonly path: readonly PathStep[];
  /** The value in the cache. */
  readonly value: string;
  /** Set if it grants cloud permissions to a declared object. */
  readonly givesAccess?: true;
  readonly effect?: string;
}

/** The labels and annotations of service accounts that grant their pods cloud permissions, by program. */
const cloudIdentityKeys = {
  /** https://docs.aws.amazon.com/eks/latest/userguide/associate-service-account-role.html */
  'Amazon EKS': ['eks.amazonaws.com/role-arn'],
  /** https://cloud.google.com/kubernetes-engine/docs/how-to/workload-identity */
  'Google GKE': ['iam.gke.io/gcp-service-account'],
  /** https://azure.github.io/azure-workload-identity/docs/topics/service-account-labels-and-annotations.html */
  'Azure AKS': ['azure.workload.identity/*'],
} as const;

const identityKeys: readonly string[] = Object.values(cloudIdentityKeys).flat();

const fields = ['labels', 'annotations'] as const;
type Field = (typeof fields)[number];

/** Finds undeclared metadata of a tenant's objects, from memory. */
export function findUndeclaredMetadata(
  declared: { readonly namespaces: readonly string[]; readonly objects: readonly KubeObject[] },
  objects: TenantObjects,
  platform: PlatformTrust,
): readonly UndeclaredMetadata[] {
  const wanted = new Map(declared.objects.map((one) => [identityOf(one), one]));
  const found = declared.objects.flatMap((one) => {
    const live = objects.find(one);
    return live && 'digest' in live ? [{ declared: one, live }] : [];
  });
  const namespaces = found.filter(({ live }) => live.kind === 'Namespace');
  const accounts = declared.namespaces
    .flatMap((namespace) => objects.serviceAccounts(namespace))
    .map((live) => ({ live, declared: wanted.get(identityOf(live as KubeObject)) }));
  return [
    ...found.flatMap(({ live }) => listOwners(live)),
    ...accounts.flatMap(({ live, declared }) => listIdentities(live, declared)),
    ...namespaces.flatMap(({ live, declared }) => listKeys(live, declared, platform)),
  ];
}

/** Returns undeclared owners of a declared object: the garbage collector would delete it with the last of them. */
function listOwners(holder: KeptLive): readonly UndeclaredMetadata[] {
  return (holder.metadata.ownerReferences ?? []).map(({ kind, name, uid }) => ({
    holder,
    path: ['metadata', 'ownerReferences', { by: { uid } }],
    value: `${kind} ${name}`,
    effect: `deleted with ${kind} ${name}`,
  }));
}

/** Returns undeclared cloud identities of a declared account, whose pods the platform controls. */
function listIdentities(
  holder: KeptLive,
  declared: KubeObject | undefined,
): readonly UndeclaredMetadata[] {
  return fields.flatMap((field) =>
    addedTo(holder, declared, field)
      .filter(([key]) => matchesName(identityKeys, key))
      .map(([key, value]): UndeclaredMetadata =>
        omitUndefined({
          holder,
          path: ['metadata', field, key],
          value,
          givesAccess: declared ? true : undefined,
        }),
      ),
  );
}

/** Returns the undeclared keys of a Namespace by which programs decide how to treat it. */
function listKeys(
  holder: KeptLive,
  declared: KubeObject,
  platform: PlatformTrust,
): readonly UndeclaredMetadata[] {
  const decides = {
    labels: (key: string, value: string) => isDecidingLabel(platform, key, value),
    annotations: (key: string) => isDecidingAnnotation(key),
  };
  return fields.flatMap((field) =>
    addedTo(holder, declared, field)
      .filter(([key, value]) => decides[field](key, value))
      .map(([key, value]): UndeclaredMetadata => ({
        holder,
        path: ['metadata', field, key],
        value,
      })),
  );
}

function addedTo(
  holder: KeptLive,
  declared: KubeObject | undefined,
  field: Field,
): readonly (readonly [key: string, value: string])[] {
  return Object.entries(holder.metadata[field] ?? {})
    .filter(([key]) => !Object.hasOwn(declared?.metadata[field] ?? {}, key))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}
