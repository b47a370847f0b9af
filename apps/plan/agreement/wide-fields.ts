import { isMapping, valueAt } from '@tenantry/kube/mapping';
import { isDeepEqual } from '@tenantry/kube/json';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { text } from '@tenantry/kube/rights/rights';
import { findWideKey } from './wide-keys.ts';

/**
 * Kinds of which an object has an effect with rights of its controller, or on other namespaces. That a tenant has one
 * is no reason to let others have some: the platform file must list the kind.
 */
const listedOnly: ReadonlySet<string> = new Set([
  '/Endpoints',
  'discovery.k8s.io/EndpointSlice',
  'argoproj.io/Application',
  'argoproj.io/ApplicationSet',
  'argoproj.io/AppProject',
  'kustomize.toolkit.fluxcd.io/Kustomization',
  'helm.toolkit.fluxcd.io/HelmRelease',
  'fluxcd.controlplane.io/ResourceSet',
  'helm.cattle.io/HelmChart',
  'fleet.cattle.io/GitRepo',
  'operators.coreos.com/CatalogSource',
  'operators.coreos.com/ClusterServiceVersion',
  'operators.coreos.com/InstallPlan',
  'operators.coreos.com/OperatorGroup',
  'operators.coreos.com/Subscription',
  'external-secrets.io/PushSecret',
  'networking.istio.io/EnvoyFilter',
  'k8s.cni.cncf.io/NetworkAttachmentDefinition',
  'nfd.k8s-sigs.io/NodeFeature',
]);

/** Whether owners may have a kind only if the platform file lists it. */
export const mustBeListed = (kind: string): boolean => listedOnly.has(kind);

/** A field with an effect outside of its namespace, and that effect as the end of a sentence. */
interface WideField {
  readonly path: readonly string[];
  readonly effect: string;
  /** Whether a value has the effect. Default: each value but an empty one. */
  readonly isWide?: (value: unknown) => boolean;
}

const noDisruption = 'can stop the drain of every node that its pods run on';

/** Fields by `group/Kind`. Source: the API reference of Kubernetes 1.36 and of cert-manager 1.19. */
const fields: Readonly<Record<string, readonly WideField[]>> = {
  '/Service': [
    { path: ['spec', 'externalName'], effect: 'makes an ingress controller connect to any host' },
    { path: ['spec', 'externalIPs'], effect: 'receives the traffic of the cluster to an address' },
  ],
  '/PersistentVolumeClaim': [
    { path: ['spec', 'volumeName'], effect: 'can bind the volume that another namespace had' },
    { path: ['spec', 'dataSourceRef', 'namespace'], effect: 'copies data of another namespace' },
  ],
  'policy/PodDisruptionBudget': [
    {
      path: ['spec', 'maxUnavailable'],
      effect: noDisruption,
      isWide: (value) => isShare(value, 0),
    },
    { path: ['spec', 'minAvailable'], effect: noDisruption, isWide: (value) => value === '100%' },
  ],
  'cert-manager.io/Certificate': [
    {
      path: ['spec', 'isCA'],
      effect: 'requests a certificate that signs others',
      isWide: (value) => value === true,
    },
  ],
};

const isShare = (value: unknown, share: number): boolean =>
  value === share || text(value) === `${share}%` || text(value) === String(share);

/** Fields that name an object `namespace/name`. Keys of annotations. */
const references =
  /(^|\.)(ingress\.kubernetes\.io|nginx\.org|haproxy\.org)\/.*(secret|configmap)s?$/;

/** Returns what a change adds to an object that has an effect outside of its namespace, as a sentence. */
export function findWideField(
  before: KubeObject | undefined,
  after: KubeObject,
): string | undefined {
  const kind = `${groupOf(after.apiVersion)}/${after.kind}`;
  for (const { path, effect, isWide = isPresent } of fields[kind] ?? []) {
    const [was, is] = [before, after].map((one) => valueAt(one, path));
    if (isWide(is) && !isDeepEqual(was ?? null, is ?? null)) return `${path.join('.')} ${effect}`;
  }
  for (const [key, value] of Object.entries(after.metadata.annotations ?? {})) {
    const isNew = before?.metadata.annotations?.[key] !== value;
    const [namespace, name] = String(value).split('/');
    if (
      isNew &&
      name !== undefined &&
      references.test(key) &&
      namespace !== after.metadata.namespace
    )
      return `${key} names an object of namespace ${namespace}`;
  }
  return findWideKey(listKeys(before), listKeys(after));
}

const isPresent = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0);

/** Returns the labels and annotations of an object and of the templates in it, as `key=value`. */
function listKeys(object: KubeObject | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isMapping(value)) return;
    for (const [field, inner] of Object.entries(value)) {
      if (/^(?:labels|annotations|.*(?:Labels|Annotations))$/.test(field) && isMapping(inner)) {
        for (const [key, one] of Object.entries(inner)) found.add(`${key}=${String(one)}`);
      } else visit(inner);
    }
  };
  visit(object);
  return found;
}
