import type { BundleText } from '@tenantry/olm/constructs/bundle/files';
import { readDocuments } from '@tenantry/kube/yaml/read';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { toReference, type Body, type Reply } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { untilServed } from '../crds.ts';
import { csvReference, type CsvName } from './real-olm.ts';

/** The parts of a ClusterServiceVersion that are read here. */
interface Csv extends Body {
  readonly spec: Record<string, unknown> & {
    readonly install: {
      readonly spec: {
        readonly permissions?: readonly Permission[];
        readonly clusterPermissions?: readonly Permission[];
      };
    };
  };
}

interface Permission {
  readonly serviceAccountName: string;
  readonly rules: readonly object[];
}

/** The objects of a bundle. */
export interface BundleParts {
  readonly csv: Csv;
  readonly definitions: readonly Body[];
  readonly others: readonly Body[];
}

/** Reads the manifests among the files of a bundle. */
export function partsOf(files: readonly BundleText[]): BundleParts {
  const objects = files
    .filter(({ path }) => path.startsWith('manifests/'))
    .flatMap(({ text }) => readDocuments(text).documents.map(({ value }) => value as Body));
  const csv = objects.find(({ kind }) => kind === 'ClusterServiceVersion') as Csv;
  const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const others = objects.filter((one) => one !== csv && !definitions.includes(one));
  return { csv, definitions, others };
}

/** Creates a namespace with an OperatorGroup. */
export async function makeOperatorGroup(
  { admin }: ClusterAccess,
  namespace: string,
  spec: object = {},
): Promise<void> {
  made(await admin.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }));
  const metadata = { name: namespace, namespace };
  const group = { apiVersion: 'operators.coreos.com/v1', kind: 'OperatorGroup', metadata, spec };
  made(await admin.create(group as Body));
}

/**
 * A double of OLM's catalog operator at the moment when an InstallPlan is carried out. It writes the objects of the plan
 * in order: the ClusterServiceVersion, the definitions, all others. They have the same owners and labels as with OLM,
 * and replace those of an older version.
 * There is no catalog, Subscription, dependency resolution or approval. Unlike OLM, it does not check whether existing
 * objects still match changed definitions.
 */
export async function installBundle(
  cluster: ClusterAccess,
  namespace: string,
  { csv, definitions, others }: BundleParts,
): Promise<CsvName> {
  const name = csv.metadata!.name!;
  const place = { namespace, name };
  const live = await ensured(cluster, within(namespace, csv));
  for (const definition of definitions) {
    await ensured(cluster, managed(definition));
    await untilServed(cluster.admin, definition);
  }
  const owner = {
    ...csvReference(place),
    namespace: undefined,
    uid: live.metadata!.uid!,
    controller: false,
    blockOwnerDeletion: false,
  };
  const labels = {
    'olm.owner': name,
    'olm.owner.namespace': namespace,
    'olm.owner.kind': 'ClusterServiceVersion',
  };
  const owned = (object: Body): Body =>
    within(namespace, withMetadata(object, { ownerReferences: [owner] }));
  for (const object of others) await ensured(cluster, managed(owned(object)));
  const { permissions = [], clusterPermissions = [] } = csv.spec.install.spec;
  const accounts = [...permissions, ...clusterPermissions].map((one) => one.serviceAccountName);
  for (const account of new Set(accounts)) {
    const metadata = { name: account };
    await ensured(cluster, managed(owned({ apiVersion: 'v1', kind: 'ServiceAccount', metadata })));
  }
  // Uses names that differ, since OLM lifts the first roles into ClusterRoles with the same names.
  for (const [i, permission] of permissions.entries()) {
    const role = roleOf('Role', `${name}-in-${namespace}-${i}`, namespace, permission);
    for (const one of role) await ensured(cluster, managed(owned(withMetadata(one, { labels }))));
  }
  for (const [i, permission] of clusterPermissions.entries()) {
    const role = roleOf('ClusterRole', `${name}-${i}`, namespace, permission);
    for (const one of role) await ensured(cluster, managed(withMetadata(one, { labels })));
  }
  return place;
}

function roleOf(
  kind: 'Role' | 'ClusterRole',
  name: string,
  namespace: string,
  { rules, serviceAccountName }: Permission,
): readonly Body[] {
  const apiGroup = 'rbac.authorization.k8s.io';
  const apiVersion = `${apiGroup}/v1`;
  const subjects = [{ kind: 'ServiceAccount', name: serviceAccountName, namespace }];
  const roleRef = { apiGroup, kind, name };
  return [
    { apiVersion, kind, metadata: { name }, rules },
    { apiVersion, kind: `${kind}Binding`, metadata: { name }, roleRef, subjects },
  ];
}

const withMetadata = (object: Body, metadata: Body['metadata']): Body => ({
  ...object,
  metadata: { ...object.metadata, ...metadata },
});

const within = (namespace: string, object: Body): Body => withMetadata(object, { namespace });

/** Adds the label without which the informers of OLM do not see an object. */
const managed = (object: Body): Body =>
  withMetadata(object, { labels: { ...object.metadata?.labels, 'olm.managed': 'true' } });

/**
 * Creates an object, or overwrites the existing one, and refuses unknown fields. Starts again if the existing one
 * changed or went in between, as the garbage collector removes what a deleted version owned.
 */
async function ensured({ admin }: ClusterAccess, object: Body): Promise<Body> {
  const options = { fieldValidation: 'Strict' } as const;
  return until(`${object.kind} ${object.metadata!.name} is as declared`, async () => {
    const created = await admin.create(object, options);
    if (created.status !== 409) return made(created);
    const { status, body: existing } = await admin.get(toReference(object));
    if (status === 404) return false;
    const { resourceVersion, ownerReferences: before = [] } = existing.metadata!;
    const { ownerReferences = [] } = object.metadata!;
    // An account stays owned by the replaced version as well.
    const merged =
      object.kind === 'ServiceAccount' ? [...before, ...ownerReferences] : ownerReferences;
    const metadata = {
      resourceVersion: resourceVersion!,
      ...(merged.length > 0 && { ownerReferences: merged }),
    };
    const replaced = await admin.replace(withMetadata(object, metadata), options);
    return [404, 409].includes(replaced.status) ? false : made(replaced);
  });
}

function made({ status, body }: Reply): Body {
  if (status > 201) throw new Error(`${status} ${body.message}`);
  return body;
}
