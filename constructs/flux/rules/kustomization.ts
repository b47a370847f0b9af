import { errorAt, type Finding } from '../../../kube/finding.ts';
import { show } from '../../../kube/problem.ts';
import type { KustomizationSpec } from '../api/types.ts';

/** The maximum length of a name: Flux writes the Kustomization of each object as the value of a label. */
const MAX_NAME = 63;

/** Validates what Flux would not apply of a Kustomization, and what it accepts but nobody intends. */
export function validateKustomization(name: string, spec: KustomizationSpec): Finding[] {
  const findings: Finding[] = [];
  const add = (path: readonly string[], message: string): void => {
    findings.push(errorAt(path, message, 'kustomization'));
  };
  if (name.length > MAX_NAME) {
    add(
      ['metadata', 'name'],
      `must have at most ${MAX_NAME} characters, got ${name.length}: Flux writes it into a label of each object`,
    );
  }
  const { path, wait, healthChecks = [], prune, deletionPolicy } = spec;
  if (path !== undefined && (path.startsWith('/') || path.split('/').includes('..'))) {
    add(['spec', 'path'], `must be a folder of the source, got ${show(path)}`);
  }
  if (wait && healthChecks.length > 0) {
    add(['spec', 'healthChecks'], "must be left out beside 'wait', which waits for all objects");
  }
  if (!prune && deletionPolicy === 'MirrorPrune') {
    add(['spec', 'deletionPolicy'], "must be 'Orphan' where nothing is pruned, got 'MirrorPrune'");
  }
  return findings;
}

/** The parts of a Kustomization that determine its dependencies. */
export interface DependentKustomization {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: KustomizationSpec;
}

/**
 * Finds Kustomizations that depend on themselves through others and so are never applied. Each of them gets a finding.
 * @param find returns another Kustomization by `namespace/name`
 */
export function findDependencyCycles(
  one: DependentKustomization,
  find: (id: string) => DependentKustomization | undefined,
): Finding[] {
  const id = `${one.metadata.namespace}/${one.metadata.name}`;
  const before = ({ metadata, spec }: DependentKustomization): string[] =>
    (spec.dependsOn ?? []).map(
      ({ name, namespace = metadata.namespace }) => `${namespace}/${name}`,
    );
  return before(one).flatMap((first, i) => {
    const way = [first];
    const met = new Set(way);
    for (const at of way) {
      if (at === id) {
        const message = `must not depend on a Kustomization that depends on it, got ${show(one.spec.dependsOn![i]!.name)}`;
        return [errorAt(['spec', 'dependsOn', i], message, 'kustomization')];
      }
      const next = find(at);
      for (const each of next ? before(next) : []) {
        if (!met.has(each)) way.push(each);
        met.add(each);
      }
    }
    return [];
  });
}
