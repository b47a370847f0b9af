import type { ManagedFields, ObjectMeta } from '@tenantry/kube/api/object-meta';
import { isMapping } from '@tenantry/kube/mapping';
import { groupOf } from '@tenantry/kube/object';
import { matchesName } from '../model/name-pattern.ts';
import { maker } from '../operator/drift/managed-fields.ts';

/** A tool or a program that manages a live object. */
export interface ObjectManager {
  /** As `--managed-by` and `--accept` match it: `helm:shop/redis`, `program:provisioner`. */
  readonly id: string;
  /** As the subject of a sentence: `the Helm release shop/redis`. */
  readonly name: string;
}

/** A live object, as far as it reveals who made it. */
export interface ManagedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Pick<ObjectMeta, 'name'> & Partial<ObjectMeta>;
}

/**
 * Finds the tool that manages a live object by the marks that the tool leaves. Undefined if there is no mark, so that the
 * field managers decide.
 */
export function findMarkedManager(object: ManagedObject): ObjectManager | undefined {
  for (const find of marks) {
    const manager = find(object);
    if (manager) return manager;
  }
  return undefined;
}

type Mark = (object: ManagedObject) => ObjectManager | undefined;

/** The marks of tools. If an object has several, the first one is of the tool that applies the others' output. */
const marks: readonly Mark[] = [
  findArgoCDApplication,
  byLabels('kustomize.toolkit.fluxcd.io', 'Kustomization'),
  byLabels('helm.toolkit.fluxcd.io', 'HelmRelease'),
  ({ metadata: { annotations = {}, namespace = '' } }) => {
    const release = annotations['meta.helm.sh/release-name'];
    if (release === undefined) return undefined;
    const place = `${annotations['meta.helm.sh/release-namespace'] ?? namespace}/${release}`;
    return { id: `helm:${place}`, name: `the Helm release ${place}` };
  },
  byKey('annotations', 'objectset.rio.cattle.io/id', 'rancher', "Rancher's object set"),
  byKey('annotations', 'config.k8s.io/owning-inventory', 'inventory', 'the kpt inventory'),
  byKey('labels', 'kapp.k14s.io/app', 'kapp', 'the kapp application'),
  byKey('labels', 'hnc.x-k8s.io/inherited-from', 'hnc', "HNC's copy from namespace"),
  byKey('labels', 'generate.kyverno.io/policy-name', 'kyverno', 'the Kyverno policy'),
  byKey('labels', 'olm.owner', 'olm', 'the OLM operator'),
];

function byKey(part: 'labels' | 'annotations', key: string, tool: string, name: string): Mark {
  return ({ metadata }) => {
    const value = metadata[part]?.[key];
    return value === undefined ? undefined : { id: `${tool}:${value}`, name: `${name} ${value}` };
  };
}

/** Flux labels what it applies with the name and the namespace of its own object. */
function byLabels(prefix: string, kind: string): Mark {
  return ({ metadata: { labels = {} } }) => {
    const name = labels[`${prefix}/name`];
    if (name === undefined) return undefined;
    const place = `${labels[`${prefix}/namespace`] ?? ''}/${name}`;
    return { id: `flux:${place}`, name: `the Flux ${kind} ${place}` };
  };
}

/** The label of Argo CD if it does not use the usual one. */
const INSTANCE = 'argocd.argoproj.io/instance';

/**
 * Finds the Application of Argo CD. The tracking annotation counts only if it is about this very object, as for Argo CD:
 * people copy manifests with their annotations. The label of Helm charts counts only if Argo CD wrote the object.
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/
 */
function findArgoCDApplication(object: ManagedObject): ObjectManager | undefined {
  const { labels = {}, annotations = {}, managedFields } = object.metadata;
  const tracked = readTrackingId(annotations['argocd.argoproj.io/tracking-id'], object);
  const isSynced = writersOf(managedFields).some((one) => isArgoCD(one));
  const name =
    tracked ?? labels[INSTANCE] ?? (isSynced ? labels['app.kubernetes.io/instance'] : undefined);
  if (name === undefined) return undefined;
  // Applications outside of Argo CD's own namespace are called `<namespace>_<name>`.
  const place = name.replace('_', '/');
  return { id: `argocd:${place}`, name: `the Argo CD application ${place}` };
}

const isArgoCD = (manager: string): boolean => manager.startsWith('argocd');

/** Returns the application of `<application>:<group>/<kind>:<namespace>/<name>`, if it names the object. */
function readTrackingId(
  text: string | undefined,
  { apiVersion, kind, metadata }: ManagedObject,
): string | undefined {
  const { application, what, namespace, name } =
    /^(?<application>[^:]+):(?<what>[^:]+):(?<namespace>[^/:]*)\/(?<name>.+)$/.exec(text ?? '')
      ?.groups ?? {};
  const isIt =
    what === `${groupOf(apiVersion)}/${kind}` &&
    name === metadata.name &&
    (metadata.namespace === undefined || namespace === metadata.namespace);
  return isIt ? application : undefined;
}

/**
 * Lists the field managers that made an object: those that wrote its content, or else the one that created it. A
 * controller that only adds a label has not made the object. Empty if the API server does not know.
 */
export function listMakers(metadata: Partial<ObjectMeta>): readonly string[] {
  const own = (metadata.managedFields ?? []).filter(({ subresource = '' }) => subresource === '');
  const writers = writersOf(own.filter(hasContent));
  if (writers.length > 0) return writers;
  const created = maker(metadata);
  return created ? [created.manager] : [];
}

/** Fields that are no content: the token controller adds `secrets` to accounts. */
const besides: ReadonlySet<string> = new Set(['f:metadata', 'f:status', 'f:secrets', '.']);

function hasContent({ fieldsV1 }: ManagedFields): boolean {
  return isMapping(fieldsV1) && Object.keys(fieldsV1).some((field) => !besides.has(field));
}

function writersOf(managed: readonly ManagedFields[] = []): readonly string[] {
  return [...new Set(managed.flatMap(({ manager }) => (manager === undefined ? [] : [manager])))];
}

/**
 * Returns the program that made an object. Undefined if a tool of people has written its content too, or if the API
 * server does not know who made it.
 */
export function findProgram(makers: readonly string[]): ObjectManager | undefined {
  const [program] = makers;
  if (program === undefined || makers.some((one) => matchesName(tools, one))) return undefined;
  return { id: `program:${program}`, name: `the program ${program}` };
}

/**
 * Field managers with which people write, directly or through Git. An unknown name counts as a program, so that its
 * objects are named in the report instead of being taken over.
 * Source: the default is the user agent up to its first `/` (managerOrUserAgent in
 * k8s.io/apiserver/pkg/endpoints/handlers/create.go). Terraform's provider is `HashiCorp` and `Terraform`; Lens is
 * `node-fetch`; consoles in a browser are `Mozilla`.
 */
const tools: readonly string[] = [
  'kubectl*',
  'oc',
  'oc.exe',
  'before-first-apply',
  'helm',
  'helm.exe',
  'Helm',
  'argocd*',
  'kustomize-controller',
  'helm-controller',
  'flux*',
  'fleetagent',
  'Terraform',
  'terraform*',
  'HashiCorp',
  'OpenTofu',
  'opentofu*',
  'pulumi*',
  'kapp',
  'kapp-controller',
  'kpt*',
  'configsync',
  'tanka',
  'timoni',
  'werf',
  'skaffold',
  'tilt',
  'node-fetch',
  'Mozilla',
  'k9s',
  'Lens*',
  'OpenLens*',
  'headlamp*',
  'dashboard*',
  'curl',
];
