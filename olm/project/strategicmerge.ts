import { isMapping } from '../../kube/mapping.ts';
import type { Editable } from './tree.ts';

/** By what items of lists of Kubernetes' kinds are the same one. Other lists are replaced. */
const keys: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  volumes: ['name'],
  env: ['name'],
  imagePullSecrets: ['name'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
  ports: ['containerPort', 'port'],
  hostAliases: ['ip'],
  webhooks: ['name'],
};

/**
 * Lays a patch over an object, as `kubectl patch --type=strategic` does.
 *
 * Source: https://kubernetes.io/docs/tasks/manage-kubernetes-objects/update-api-object-kubectl-patch/
 */
export function mergeInto(target: Editable, patch: Readonly<Record<string, unknown>>): void {
  if (patch['$patch'] === 'replace') for (const key of Object.keys(target)) delete target[key];
  for (const [key, value] of Object.entries(patch)) {
    if (key === '$patch') continue;
    if (value === null) delete target[key];
    else if (isMapping(value) && value['$patch'] === 'delete') delete target[key];
    else target[key] = merged(key, target[key], value);
  }
}

function merged(key: string, old: unknown, value: unknown): unknown {
  if (isMapping(value)) {
    const target = isMapping(old) ? (old as Editable) : {};
    mergeInto(target, value);
    return target;
  }
  const by = keys[key];
  if (!by || !Array.isArray(value) || !value.every(isMapping)) return value;
  return mergedList(Array.isArray(old) ? (old as unknown[]) : [], value, by);
}

function mergedList(
  old: readonly unknown[],
  patch: readonly Readonly<Record<string, unknown>>[],
  by: readonly string[],
): unknown[] {
  const items = [...old];
  const added: Editable[] = [];
  for (const one of patch) {
    const key = by.find((name) => one[name] !== undefined);
    const at = items.findIndex(
      (item) => isMapping(item) && key !== undefined && item[key] === one[key],
    );
    if (one['$patch'] === 'delete') {
      if (at >= 0) items.splice(at, 1);
    } else if (at >= 0) mergeInto(items[at] as Editable, one);
    else {
      const fresh: Editable = {};
      mergeInto(fresh, one);
      added.push(fresh);
    }
  }
  // New items stand before those that there were.
  return [...added, ...items];
}
