import { isMapping, omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { show, type Path } from '@tenantry/kube/problem';
import { diffObjects } from '../../diff-objects.ts';
import type { FoundObject } from '../../manifests.ts';
import type { SystemObject } from '../system-object.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import type { FoundProject } from './projects.ts';
import { quotaKeys, type ContainerLimit, type Project, type QuotaLimit } from './rancher-kinds.ts';

const QUOTA_ANNOTATION = 'field.cattle.io/resourceQuota';
const LIMIT_ANNOTATION = 'field.cattle.io/containerDefaultResourceLimit';

/** The label of the ResourceQuotas and LimitRanges that Rancher makes. */
export const BOUNDS_LABEL = 'resourcequota.management.cattle.io/default-resource-quota';

type Bounds = Readonly<Record<string, string | number>>;

/**
 * Adds the ResourceQuota and the LimitRange that Rancher makes in each namespace of a project.
 *
 * Source: pkg/controllers/managementuser/resourcequota/resource_quota_sync.go
 */
export function addBounds(
  projects: ReadonlyMap<string, FoundProject>,
  source: SystemSource,
  translation: Translation,
): void {
  const live = new Map<string, FoundObject>();
  for (const found of source.objects) {
    if (found.object.metadata.labels?.[BOUNDS_LABEL] === undefined) continue;
    live.set(`${found.object.kind} ${source.namespaceOf(found)}`, found);
  }
  for (const project of projects.values()) {
    for (const namespace of project.namespaces) {
      const quota = buildQuota(project, namespace, live, translation);
      const range = buildRange(project, namespace, translation);
      for (const made of [quota, range])
        if (made) addMade(made, namespace, project, live, translation);
    }
    if (project.object) recordBounds(project.object);
  }
  for (const found of live.values()) {
    if (translation.explained.has(found)) continue;
    translation.leaveOut(
      found,
      'Rancher made it, and neither its Project nor an annotation of its Namespace in the source states it',
    );
  }
}

/** Adds what Rancher makes, and explains what it has made. */
function addMade(
  made: KubeObject,
  namespace: FoundObject,
  { object }: FoundProject,
  live: ReadonlyMap<string, FoundObject>,
  translation: Translation,
): void {
  const { name } = namespace.object.metadata;
  translation.addObject(name, made, object ?? { found: namespace });
  const before = live.get(`${made.kind} ${name}`);
  if (!before) return;
  const isSame = diffObjects(before.object, made).every(({ path }) => path[0] === 'metadata');
  const own = `${made.kind} ${made.metadata.name}`;
  if (isSame) translation.explainMade(before, `Rancher made it; ${own} has its effect`);
  else
    translation.leaveOut(
      before,
      `Rancher made it, and ${own} differs from it: the Project or the annotation of the Namespace has changed since`,
    );
}

/** Without its Project, only what Rancher has made is known of the quota of a namespace. */
function buildQuota(
  { id, object }: FoundProject,
  namespace: FoundObject,
  live: ReadonlyMap<string, FoundObject>,
  translation: Translation,
): KubeObject | undefined {
  const { name } = namespace.object.metadata;
  const wanted = readAnnotation(namespace, QUOTA_ANNOTATION, translation);
  const requested = wanted && isMapping(wanted['limit']) ? toBounds(wanted['limit']) : undefined;
  const made = live.get(`ResourceQuota ${name}`)?.object['spec'];
  if (!object) {
    if (isMapping(made)) return quotaOf(made['hard'] as Bounds);
    if (requested) {
      const message = `must be imported together with Project ${id}, which decides about the quota in its annotation ${QUOTA_ANNOTATION}: export it from the management cluster`;
      translation.reportProblem(namespace, `Namespace ${name} ${message}`, 'rancher-project');
    }
    return undefined;
  }
  const { resourceQuota, namespaceDefaultResourceQuota } = object.content.spec;
  if (!resourceQuota || !namespaceDefaultResourceQuota) return undefined;
  const defaults = toBounds(namespaceDefaultResourceQuota.limit ?? {});
  const hard = Object.fromEntries(
    Object.entries(defaults).map(([key, value]) => [key, requested?.[key] ?? value]),
  );
  return Object.keys(hard).length > 0 ? quotaOf(hard) : undefined;
}

const quotaOf = (hard: Bounds): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'project-quota' },
  spec: { hard },
});

/** Converts bounds to the names of Kubernetes. Empty ones are absent. */
function toBounds(limit: Readonly<Record<string, unknown>> | QuotaLimit): Bounds {
  const { extended, ...own } = limit as Readonly<Record<string, unknown>>;
  const entries = [
    ...Object.entries(own).map(([key, value]) => [
      Object.hasOwn(quotaKeys, key) ? quotaKeys[key as keyof typeof quotaKeys] : key,
      value,
    ]),
    ...Object.entries(isMapping(extended) ? extended : {}),
  ];
  return Object.fromEntries(
    entries.filter(([, value]) => value !== '' && ['string', 'number'].includes(typeof value)),
  ) as Bounds;
}

function buildRange(
  { object }: FoundProject,
  namespace: FoundObject,
  translation: Translation,
): KubeObject | undefined {
  const wanted = readAnnotation(namespace, LIMIT_ANNOTATION, translation);
  const project = object?.content.spec.containerDefaultResourceLimit;
  if (!wanted && !project) return undefined;
  const limit = { ...project, ...wanted } as ContainerLimit;
  const pick = (cpu: unknown, memory: unknown) => {
    const amounts = omitUndefined<Record<string, unknown>>({
      cpu: cpu || undefined,
      memory: memory || undefined,
    });
    return Object.keys(amounts).length > 0 ? amounts : undefined;
  };
  const item = omitUndefined<Record<string, unknown>>({
    type: 'Container',
    default: pick(limit.limitsCpu, limit.limitsMemory),
    defaultRequest: pick(limit.requestsCpu, limit.requestsMemory),
  });
  if (Object.keys(item).length === 1) return undefined;
  const metadata = { name: 'project-limits' };
  return { apiVersion: 'v1', kind: 'LimitRange', metadata, spec: { limits: [item] } };
}

/** Returns the JSON of an annotation; undefined if it is absent or null. */
function readAnnotation(
  namespace: FoundObject,
  key: string,
  translation: Translation,
): Record<string, unknown> | undefined {
  const { name, annotations } = namespace.object.metadata;
  const text = annotations?.[key];
  if (text === undefined || text === '' || text === 'null') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isMapping(value)) return value;
  } catch {
    // It is reported below.
  }
  const message = `Namespace ${name}: annotation ${key} must be an object in JSON, got ${show(text)}`;
  translation.reportProblem(namespace, message, 'json');
  return undefined;
}

const SUM = 'each namespace has its own quota; nothing but a review bounds their sum';

function recordBounds(object: SystemObject<Project>): void {
  const { resourceQuota, namespaceDefaultResourceQuota, containerDefaultResourceLimit } =
    object.content.spec;
  const quota = 'ResourceQuotas of its namespaces';
  const defaults = toBounds(namespaceDefaultResourceQuota?.limit ?? {});
  for (const [path, key] of listKeys(['spec', 'resourceQuota', 'limit'], resourceQuota?.limit)) {
    if (key in defaults) object.change(path, quota, SUM);
    else object.leave(path, 'Rancher bounds no namespace for it: set `quota.total` of the tenant');
  }
  for (const [path] of listKeys(['spec', 'resourceQuota', 'usedLimit'], resourceQuota?.usedLimit)) {
    object.take(path, 'the sum that Rancher computed');
  }
  const at = ['spec', 'namespaceDefaultResourceQuota', 'limit'];
  for (const [path] of listKeys(at, namespaceDefaultResourceQuota?.limit)) {
    if (resourceQuota) object.take(path, quota);
    else object.leave(path, 'Rancher ignores it without `resourceQuota`');
  }
  for (const key of Object.keys(containerDefaultResourceLimit ?? {})) {
    if (!containerKeys.has(key)) continue;
    object.take(['spec', 'containerDefaultResourceLimit', key], 'LimitRanges of its namespaces');
  }
}

const containerKeys = new Set(['requestsCpu', 'requestsMemory', 'limitsCpu', 'limitsMemory']);

/** Lists the known bounds of a limit: their paths, and their names for Kubernetes. */
function listKeys(path: Path, limit: QuotaLimit | undefined): [Path, string][] {
  return [
    ...Object.entries(quotaKeys)
      .filter(([key]) => limit && key in limit)
      .map(([key, name]): [Path, string] => [[...path, key], name]),
    ...Object.keys(limit?.extended ?? {}).map((key): [Path, string] => [
      [...path, 'extended', key],
      key,
    ]),
  ];
}
