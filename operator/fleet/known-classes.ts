import type { Platform, TenantClassDeclaration } from '../../constructs/tenant/declaration.ts';
import { Fleet } from '../../constructs/tenant/fleet.ts';
import type { TenantClassSpec } from '../../crds/tenantry/types.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { TenantClass } from '../cluster/kinds.ts';

type LiveClass = Live<typeof TenantClass>;

/** The classes of a cluster, compiled for tenants. They are compiled again only when one has changed. */
export class KnownClasses {
  readonly #platform: Platform;
  #version: string | undefined;
  #fleet: Fleet;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#fleet = new Fleet(platform);
  }

  /** Changes with every change of a class. */
  get version(): string {
    return this.#version ?? '';
  }

  /** Returns the fleet for these classes. A problem of a class is reported to the tenants that choose it. */
  fleetOf(classes: readonly LiveClass[]): Fleet {
    const sorted = classes.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    const version = sorted
      .map(({ metadata: { uid, resourceVersion } }) => `${uid} ${resourceVersion}`)
      .join('\n');
    if (version === this.#version) return this.#fleet;
    const fleet = new Fleet(this.#platform);
    for (const klass of sorted) fleet.addClass(declarationOf(klass));
    // A class that does not fit its schema was reported already and cannot be used.
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
    // Defaults of parameters are JSON, which a type can express only for mutable values.
    spec: spec as TenantClassSpec,
  };
}
