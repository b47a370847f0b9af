import { isMapping } from '@tenantry/kube/mapping';
import { matchesLabels, type LabelSelector } from '@tenantry/kube/label-selector';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import { RBAC_GROUP } from '../../../model/layers/grants.ts';
import type { SystemObject } from '../system-object.ts';
import { selectMembers } from './bindings.ts';
import type { CapsuleTenant } from './members.ts';
import type { ReplicatedResource, ReplicationContent } from './other-schemas.ts';
import { fillValue, findUnknownPlaceholder } from './placeholders.ts';
import {
  findKindFault,
  TOO_MANY,
  withMetadata,
  type Replications,
  type ReplicationTarget,
} from './replicas.ts';
import { copyItems } from './replicated-copies.ts';

type Replication = SystemObject<ReplicationContent>;

/**
 * Translates a TenantResource: it puts objects into the namespaces of the tenant that has its own namespace. Roles and
 * bindings are left, as its users wrote it and may have fewer rights than Argo CD.
 *
 * Source: internal/controllers/resources/namespaced.go and collect.go
 */
export function translateTenantResource(
  one: Replication,
  tenant: CapsuleTenant | undefined,
  replications: Replications,
): void {
  if (!tenant) {
    one.leave(['spec'], 'its namespace belongs to no Tenant of the source');
    return;
  }
  recordSettings(one);
  if (one.content.spec.cordoned) return;
  const own = one.found.object.metadata.namespace;
  for (const [i, resource] of one.content.spec.resources.entries()) {
    const targets = listTargets(tenant, resource);
    const path = ['spec', 'resources', i];
    addRawItems(one, resource, path, targets, replications, findRbacFault);
    copyItems(
      one,
      resource,
      path,
      targets,
      replications,
      (namespace, apiVersion) =>
        tenant.members.some(({ name }) => name === namespace)
          ? findRbacFault({ apiVersion })
          : OTHER_TENANT,
      own,
    );
  }
}

const OTHER_TENANT = 'the namespace does not belong to the tenant, and Capsule refuses it';

/** Translates a GlobalTenantResource: it puts objects into the namespaces of the tenants that it selects. */
export function translateGlobalTenantResource(
  one: Replication,
  tenants: readonly CapsuleTenant[],
  replications: Replications,
): void {
  const { scope = 'Namespace', tenantSelector = {}, cordoned, resources } = one.content.spec;
  recordSettings(one);
  one.take(['spec', 'scope'], 'the objects of the namespaces');
  one.take(['spec', 'tenantSelector'], 'the tenants that it selects today');
  if (cordoned) return;
  const selected = tenants.filter(({ labels }) =>
    matchesLabels(tenantSelector as LabelSelector, labels),
  );
  for (const [i, resource] of resources.entries()) {
    const targets = {
      Namespace: () => selected.flatMap((tenant) => listTargets(tenant, resource)),
      Tenant: () => selected.map(({ name }) => ({ values: new Map([['tenant.name', name]]) })),
      None: () => [{ values: new Map<string, string>() }],
    }[scope]();
    const path = ['spec', 'resources', i];
    addRawItems(one, resource, path, targets, replications, () => undefined);
    copyItems(one, resource, path, targets, replications, () => undefined);
  }
}

function listTargets(tenant: CapsuleTenant, resource: ReplicatedResource): ReplicationTarget[] {
  const selector = resource.namespaceSelector as LabelSelector | undefined;
  return selectMembers(tenant, selector).map(({ name }) => ({
    namespace: name,
    values: new Map([
      ['tenant.name', tenant.name],
      ['namespace', name],
    ]),
  }));
}

function recordSettings(one: Replication): void {
  const { cordoned, settings, resources } = one.content.spec;
  if (cordoned) {
    one.leave(
      ['spec', 'cordoned'],
      'it is paused, so its objects may be older than what it declares',
    );
    one.leave(['spec', 'resources'], 'it is paused: import an export of the cluster without it');
  } else one.take(['spec', 'cordoned'], 'what is so anyway');
  one.take(['spec', 'resyncPeriod'], 'nothing: Argo CD compares the objects');
  one.take(['spec', 'pruningOnDelete'], 'nothing: the objects are declared by themselves');
  one.take(['spec', 'dependsOn'], 'nothing: Argo CD applies the objects together');
  one.change(
    ['spec', 'serviceAccount'],
    'objects in Git',
    'Argo CD applies them with its own rights, and not as this ServiceAccount',
  );
  for (const field of ['adopt', 'force'] as const) {
    if (settings?.[field]) {
      one.leave(
        ['spec', 'settings', field],
        'Tenantry declares whole objects, and changes no fields of those of others',
      );
    } else one.take(['spec', 'settings', field], 'what is so anyway');
  }
  for (const [i, { generators, context }] of resources.entries()) {
    const path = ['spec', 'resources', i];
    for (const j of (generators ?? []).keys()) {
      one.leave(
        [...path, 'generators', j],
        'Tenantry does not run templates: import the objects that it made',
      );
    }
    if (context) one.leave([...path, 'context'], 'only templates read it');
    one.take([...path, 'namespaceSelector'], 'the namespaces that it selects today');
    one.take([...path, 'additionalMetadata'], 'labels and annotations of the objects');
  }
}

const findRbacFault = ({ apiVersion }: Pick<KubeObject, 'apiVersion'>): string | undefined =>
  groupOf(apiVersion) === RBAC_GROUP
    ? 'users wrote it, and Argo CD may grant more than they: declare `access`'
    : undefined;

function addRawItems(
  one: Replication,
  resource: ReplicatedResource,
  path: Path,
  targets: readonly ReplicationTarget[],
  replications: Replications,
  refuse: (object: KubeObject) => string | undefined,
): void {
  for (const [i, item] of (resource.rawItems ?? []).entries()) {
    const at = [...path, 'rawItems', i];
    const fault = findItemFault(item) ?? refuse(item as KubeObject);
    const placed = fault === undefined ? placeItem(item, resource, targets, replications) : fault;
    if (typeof placed === 'string') one.leave(at, placed);
    else if (replications.add(placed, one)) one.take(at, `objects in ${placed.length} namespaces`);
    else one.leave(at, TOO_MANY);
  }
}

/** Returns why an item cannot be declared. */
function findItemFault(item: unknown): string | undefined {
  if (!isMapping(item)) return 'it is no object';
  const { apiVersion, kind, metadata } = item;
  const name = isMapping(metadata) ? metadata['name'] : undefined;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') {
    return 'it has no apiVersion, kind or name, and the API server refuses it';
  }
  return findKindFault(apiVersion, kind);
}

function placeItem(
  item: unknown,
  resource: ReplicatedResource,
  targets: readonly ReplicationTarget[],
  { index }: Replications,
): readonly (readonly [string, KubeObject])[] | string {
  if (targets.length === 0) return 'it selects no namespace of the source';
  const unknown = findUnknownPlaceholder(item, new Set(targets[0]!.values.keys()));
  if (unknown !== undefined) {
    return `Capsule replaces ${unknown} by nothing: import the objects that it made`;
  }
  const placed: (readonly [string, KubeObject])[] = [];
  for (const { namespace, values } of targets) {
    const filled = fillValue(item, values) as KubeObject;
    const own = namespace ?? filled.metadata.namespace;
    if (own === undefined || !index.namespaces.has(own)) {
      return 'it names no namespace of the source: import the object that it made';
    }
    const object = withMetadata(filled, resource, values);
    const whole = { ...object, metadata: { ...object.metadata, namespace: own } };
    if (index.has(whole)) return `the source has the object itself in ${own}`;
    placed.push([own, object]);
  }
  return placed;
}
