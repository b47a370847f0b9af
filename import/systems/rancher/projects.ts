import { formatManifest, type FoundObject } from '../../manifests.ts';
import type { SystemObject } from '../system-object.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import { PROJECT_ID, RANCHER, type Project } from './rancher-kinds.ts';

/** A project with namespaces in the source. */
export interface FoundProject {
  /** `<cluster>:<project>`. */
  readonly id: string;
  /** Absent if the source lacks the Project, which is in the management cluster. */
  readonly object?: SystemObject<Project>;
  readonly tenant: string;
  readonly namespaces: readonly FoundObject[];
}

const SYSTEM = 'authz.management.cattle.io/system-project';

/**
 * Reads the projects of a source. The namespaces of one are a tenant. Those of Rancher's project for system namespaces
 * are left out.
 */
export function readProjects(
  source: SystemSource,
  translation: Translation,
): ReadonlyMap<string, FoundProject> {
  const objects = new Map<string, SystemObject<Project>>();
  for (const one of source.objectsOf<Project>('Project')) {
    objects.set(`${one.content.spec.clusterName}:${one.name}`, one);
  }
  const members = Map.groupBy(
    source.namespaces,
    ({ object }) => object.metadata.annotations?.[PROJECT_ID] ?? '',
  );
  members.delete('');
  for (const [id, one] of objects) {
    if (members.has(id)) continue;
    translation.leaveOut(one.found, 'the source has no namespace of it');
  }
  const projects = new Map<string, FoundProject>();
  const taken = new Set<string>();
  for (const [id, namespaces] of [...members].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const object = objects.get(id);
    if (object?.found.object.metadata.labels?.[SYSTEM] === 'true') {
      const reason =
        "it belongs to Rancher's project for system namespaces, and so to the platform";
      for (const namespace of namespaces) translation.leaveOut(namespace, reason);
      translation.leaveOut(object.found, 'it is the project for system namespaces');
      continue;
    }
    const tenant = findFreeTenant(nameTenant(id, object), taken);
    taken.add(tenant);
    for (const { object: namespace } of namespaces) {
      translation.assignTenant(namespace.metadata.name, tenant);
    }
    if (object) recordNames(object, tenant);
    projects.set(id, { id, ...(object && { object }), tenant, namespaces });
  }
  return projects;
}

/** The name for people as a DNS label, or the random name of the project. */
function nameTenant(id: string, object: SystemObject<Project> | undefined): string {
  const words = (object?.content.spec.displayName ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  const label = words.slice(0, 50).replaceAll(/^-+|-+$/g, '');
  return label || id.slice(id.indexOf(':') + 1);
}

function findFreeTenant(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}

function recordNames(object: SystemObject<Project>, tenant: string): void {
  object.take(['spec', 'displayName'], `the name of the tenant ${tenant}`);
  object.take(['spec', 'clusterName'], 'the cluster of the namespaces');
  object.leave(
    ['spec', 'description'],
    'it has no effect in the cluster: write it as a comment into the Tenant',
  );
}

/** Keys that Rancher writes, or reads to make other objects. */
const isRancherKey = (key: string): boolean =>
  /^(?:[a-z.]+\.)?(?:field|lifecycle|management)\.cattle\.io\//.test(key) ||
  key.startsWith('cattle.io/') ||
  /^authz\.(?:management|cluster)\.(?:cattle|auth)\.io\//.test(key);

/**
 * Leaves out Rancher's keys of namespaces. The label of the project stays if an object of the source names it, such as
 * the policies with which Rancher isolates projects.
 */
export function dropRancherKeys(
  projects: ReadonlyMap<string, FoundProject>,
  { namespaces, objects }: SystemSource,
  translation: Translation,
): void {
  const selecting = objects.find((found) => formatManifest(found).includes(PROJECT_ID));
  for (const { object } of namespaces) {
    const { name, labels = {}, annotations = {} } = object.metadata;
    for (const key of Object.keys(annotations).filter(isRancherKey)) {
      translation.dropKey(RANCHER, name, 'annotations', key);
    }
    for (const key of Object.keys(labels).filter(isRancherKey)) {
      if (key === PROJECT_ID && selecting) continue;
      translation.dropKey(RANCHER, name, 'labels', key);
    }
    const id = annotations[PROJECT_ID];
    if (id === undefined || !selecting || !projects.has(id)) continue;
    const label = labels[PROJECT_ID] ?? id.slice(id.indexOf(':') + 1);
    translation.setKey(name, 'labels', PROJECT_ID, label);
  }
  if (!selecting) return;
  const { kind, metadata } = selecting.object;
  translation.note(
    `label ${PROJECT_ID} of Rancher is declared, because ${kind} ${metadata.name} names it: without Rancher, a new namespace of the project must declare it`,
  );
}
