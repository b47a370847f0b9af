import type { Platform, TenantClassDeclaration } from '../../constructs/tenant/declaration.ts';
import { Fleet } from '../../constructs/tenant/fleet.ts';
import type { TenantClassSpec } from '../../crds/tenantry/types.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { TenantClass } from '../cluster/kinds.ts';

type LiveClass = Live<typeof TenantClass>;

/** The classes of a cluster, with what they mean for tenants; found anew only when one has changed. */
export class KnownClasses {
  readonly #platform: Platform;
  #version: string | undefined;
  #fleet: Fleet;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#fleet = new Fleet(platform);
  }

  /** Another one after any change of a class. */
  get version(): string {
    return this.#version ?? '';
  }

  /**
   * What answers for tenants of these classes. One of them that cannot be used is told to the tenants that
   * choose it.
   */
  fleetOf(classes: readonly LiveClass[]): Fleet {
    const sorted = classes.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    const version = sorted
      .map(({ metadata: { uid, resourceVersion } }) => `${uid} ${resourceVersion}`)
      .join('\n');
    if (version === this.#version) return this.#fleet;
    const fleet = new Fleet(this.#platform);
    for (const klass of sorted) fleet.addClass(declarationOf(klass));
    // One that does not fit its schema is refused already, and nothing can be asked of it.
    const fitting = new Set(fleet.classes.map(({ name }) => name));
    for (const klass of sorted) {
      if (fitting.has(klass.metadata.name)) fleet.checkClass(declarationOf(klass));
    }
    this.#version = version;
    this.#fleet = fleet;
    return fleet;
  }
}

function declarationOf({ metadata, spec = {} }: LiveClass): TenantClassDeclaration {
  const { name, labels, annotations } = metadata;
  return {
    name,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    // Defaults of parameters are JSON, which a type can say only of what may be changed.
    spec: spec as TenantClassSpec,
  };
}
