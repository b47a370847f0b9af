import { omitUndefined } from '@tenantry/kube/mapping';
import { compileGlob, isLiteral } from '../../../model/argocd/patterns/glob.ts';
import { isBounded, permitsDestination } from '../../../model/argocd/patterns/allow-lists.ts';
import type { SourceCluster } from '../tenancy-system.ts';
import type { ProjectSpec } from './project-schema.ts';

type Destination = NonNullable<ProjectSpec['destinations']>[number];

/** A destination of a project, and what it is here. */
export interface CoveredDestination {
  /** Whether it is on a cluster of the import. */
  readonly isHere: boolean;
  /** The namespaces of the source that it allows on some of the clusters. */
  readonly namespaces: readonly string[];
  /** Whether it also allows namespaces that will exist later. */
  readonly isPattern: boolean;
}

/** What the destinations of a project allow on the clusters of an import. */
export interface Coverage {
  /** Why the project belongs to no tenant; absent if it bounds its namespaces. */
  readonly unbounded?: string;
  readonly destinations: readonly CoveredDestination[];
  /** The namespaces of the source that the project allows on all of the clusters. */
  readonly namespaces: ReadonlySet<string>;
}

/** Finds the namespaces of a source by name and by pattern. */
export class NamespaceIndex {
  readonly #names: readonly string[];
  readonly #all: ReadonlySet<string>;
  readonly #found = new Map<string, readonly string[]>();

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#all = new Set(names);
  }

  find(pattern: string): readonly string[] {
    if (isLiteral(pattern)) return this.#all.has(pattern) ? [pattern] : [];
    const known = this.#found.get(pattern);
    if (known) return known;
    const matches = compileGlob(pattern);
    const found = matches ? this.#names.filter(matches) : [];
    this.#found.set(pattern, found);
    return found;
  }
}

/** Computes which namespaces of a source a project allows. */
export function computeCoverage(
  destinations: readonly Destination[],
  index: NamespaceIndex,
  clusters: readonly SourceCluster[],
): Coverage {
  const here = destinations.map((one) => clusters.filter((cluster) => isOn(one, cluster)));
  const unbounded = findUnbounded(destinations, here);
  if (unbounded !== undefined) return { unbounded, destinations: [], namespaces: new Set() };
  const covered = destinations.map(({ namespace = '' }, i): CoveredDestination => {
    const isHere = here[i]!.length > 0;
    const namespaces = isHere ? index.find(namespace) : [];
    return { isHere, namespaces, isPattern: !isLiteral(namespace) };
  });
  const sets = clusters.map(
    (cluster) =>
      new Set(
        covered.flatMap(({ namespaces }, i) => (here[i]!.includes(cluster) ? namespaces : [])),
      ),
  );
  const [first = new Set<string>(), ...others] = sets;
  const everywhere = [...first].filter((name) => others.every((set) => set.has(name)));
  return { destinations: covered, namespaces: new Set(everywhere) };
}

function isOn({ server, name }: Destination, cluster: SourceCluster): boolean {
  const to = { server: cluster.server ?? '', name: cluster.name, namespace: 'any' };
  return permitsDestination([omitUndefined({ server, name, namespace: '*' })], to);
}

/** An entry with `!` allows everything else, so that a project with one has no bounds. */
function findUnbounded(
  destinations: readonly Destination[],
  here: readonly (readonly SourceCluster[])[],
): string | undefined {
  const isDenial = (text = ''): boolean => text.startsWith('!');
  for (const [i, { server, name, namespace = '' }] of destinations.entries()) {
    if ([server, name, namespace].some(isDenial)) {
      return "a destination with '!' allows all others, so that the project bounds no tenant";
    }
    if (here[i]!.length > 0 && namespace !== '' && !isBounded(namespace)) {
      return `the destination '${namespace}' allows namespaces of everybody, so that the project bounds no tenant`;
    }
  }
  return undefined;
}
