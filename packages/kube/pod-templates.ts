import { isMapping, valueAt } from './mapping.ts';
import { groupOf, type KubeObject } from './object.ts';
import type { Path } from './problem.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** The pod that an object is, or that a controller creates from it. */
interface PodTemplate {
  /** The path of the template in the object; empty for a Pod itself. */
  readonly path: Path;
  readonly metadata: Mapping;
  readonly spec: Mapping;
}

const workload: Path = ['spec', 'template'];

/** The path of the pod template in Kubernetes' own kinds. */
const templatePaths: Readonly<Record<string, Path>> = {
  '/Pod': [],
  '/PodTemplate': ['template'],
  '/ReplicationController': workload,
  'apps/Deployment': workload,
  'apps/StatefulSet': workload,
  'apps/DaemonSet': workload,
  'apps/ReplicaSet': workload,
  'batch/Job': workload,
  'batch/CronJob': ['spec', 'jobTemplate', 'spec', 'template'],
};

/** Finds the pod template of an object of a kind that Kubernetes itself has; undefined for any other kind. */
export function findPodTemplate(object: KubeObject): PodTemplate | undefined {
  const path = templatePaths[`${groupOf(object.apiVersion)}/${object.kind}`];
  if (!path) return undefined;
  const template = path.length === 0 ? object : valueAt(object, path);
  if (!isMapping(template)) return undefined;
  const { metadata, spec } = template;
  return {
    path,
    metadata: isMapping(metadata) ? metadata : {},
    spec: isMapping(spec) ? spec : {},
  };
}

/** Fields that identify a mapping in a custom resource as settings of a pod. */
const podFields: readonly (readonly [field: string, fits: (value: unknown) => boolean])[] = [
  ['priorityClassName', (value) => typeof value === 'string'],
  ['affinity', isMapping],
  ['tolerations', Array.isArray],
];

/**
 * Lists the mappings in an object that look like settings of pods, for kinds without a known schema: an operator may
 * copy them into the pods that it creates.
 */
export function listPodSettings(object: KubeObject): readonly Omit<PodTemplate, 'metadata'>[] {
  const found: Omit<PodTemplate, 'metadata'>[] = [];
  collectPodSettings(object, [], found);
  return found;
}

/**
 * Collects the settings of pods within a mapping or a list, outermost first.
 * @param path left unchanged
 */
function collectPodSettings(
  value: object,
  path: (string | number)[],
  found: Omit<PodTemplate, 'metadata'>[],
): void {
  const isPods =
    isMapping(value) &&
    podFields.some(([field, fits]) => Object.hasOwn(value, field) && fits(value[field]));
  if (isPods) found.push({ path: [...path], spec: value });
  for (const [key, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (typeof inner !== 'object' || inner === null) continue;
    path.push(key as string | number);
    collectPodSettings(inner as object, path, found);
    path.pop();
  }
}
