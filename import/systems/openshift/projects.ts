import type { FoundObject } from '../../manifests.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import { OPENSHIFT } from './openshift-kinds.ts';

type Words = Readonly<Record<string, string>>;

/** The labels and annotations of a namespace. */
export interface NamespaceKeys {
  readonly labels: Words;
  readonly annotations: Words;
}

const parts = ['labels', 'annotations'] as const;

/**
 * Reads the namespaces of a source. A Project is the same object as its Namespace: one without a Namespace in the source
 * becomes it, and one with further keys adds them.
 */
export function readProjects(
  source: SystemSource,
  translation: Translation,
): ReadonlyMap<string, NamespaceKeys> {
  const namespaces = new Map<string, NamespaceKeys>();
  for (const { object } of source.namespaces) {
    const { name, labels = {}, annotations = {} } = object.metadata;
    namespaces.set(name, { labels, annotations });
  }
  const inSource = new Set(namespaces.keys());
  for (const project of source.objectsOf('Project')) {
    const { name } = project;
    const before = namespaces.get(name);
    const conflict = before && findConflict(project.found, before);
    if (conflict !== undefined) {
      translation.leaveOut(project.found, conflict);
      continue;
    }
    if (!before) translation.addNamespace(name, project);
    project.take(['spec', 'finalizers'], 'the Namespace has its own');
    const { labels, annotations } = project.found.object.metadata;
    const all = {
      labels: { ...before?.labels, ...labels },
      annotations: { ...before?.annotations, ...annotations },
    };
    namespaces.set(name, all);
    for (const part of parts) {
      for (const [key, value] of Object.entries(all[part])) {
        if (before?.[part][key] !== value) translation.setKey(name, part, key, value);
      }
    }
    if (!before && !inSource.has(name)) {
      translation.note(`namespace ${name} is declared as Project ${name} states it`);
    }
  }
  for (const [name, keys] of namespaces) dropAllocated(name, keys, translation);
  return namespaces;
}

/** Returns a key of a Project that its Namespace has with another value. */
function findConflict({ object }: FoundObject, before: NamespaceKeys): string | undefined {
  for (const part of parts) {
    for (const [key, value] of Object.entries(object.metadata[part] ?? {})) {
      const other = before[part][key];
      if (other !== undefined && other !== value) {
        return `it is the Namespace of the same name, which has ${key}: '${other}' and not '${value}'`;
      }
    }
  }
  return undefined;
}

/** Keys that OpenShift allocates for one namespace of one cluster. They must stay on the Namespace as they are. */
const allocated = (key: string): boolean =>
  key.startsWith('openshift.io/sa.') ||
  key === 'security.openshift.io/MinimallySufficientPodSecurityStandard';

function dropAllocated(name: string, keys: NamespaceKeys, translation: Translation): void {
  for (const key of Object.keys(keys.annotations).filter(allocated)) {
    translation.dropKey(OPENSHIFT, name, 'annotations', key);
  }
  if (keys.labels['security.openshift.io/scc.podSecurityLabelSync'] === 'true') {
    translation.note(
      `namespace ${name}: OpenShift writes its pod-security labels, because the label security.openshift.io/scc.podSecurityLabelSync is 'true'. Remove that label, or Tenantry and OpenShift both write them`,
    );
  }
}
