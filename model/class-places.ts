import type { Finding } from '@tenantry/kube/finding';
import type { Path } from '@tenantry/kube/problem';
import type { TenantClassSpec } from '../crds/tenant-class.ts';
import type { TenantClassDeclaration } from './declaration.ts';
import { hasPath } from './rules/rules.ts';

/** The first key of a path into the parent class: `TenantClassDeclaration.base`. */
const BASE = 'base';

export const isInBase = ({ path }: Pick<Finding, 'path'>): boolean => path[0] === BASE;

/** Removes the key that marks a path into the parent class. */
export const withoutBasePath = <F extends Finding>(finding: F): F => ({
  ...finding,
  path: finding.path.slice(1),
});

/** A class as declared, and the place where its paths begin. */
interface Source {
  readonly spec: TenantClassSpec;
  readonly root: Path;
}

/**
 * Finds where a class sets what its tenants get: in itself, or in its parent class, whose paths begin with `base`. It
 * looks at one environment, or at none.
 */
export class ClassSettingPaths {
  /** The sources in order: the class itself, then its parent. */
  readonly #sources: readonly Source[];
  readonly #environment: string | undefined;

  /** @param declared the class before it is merged with `base` */
  constructor({ spec, base }: TenantClassDeclaration, environment: string | undefined) {
    this.#sources = [
      { spec, root: ['spec'] },
      ...(base ? [{ spec: base.spec, root: [BASE, 'spec'] }] : []),
    ];
    this.#environment = environment;
  }

  /** Builds a path below the spec of the class, or of its parent. */
  static path(isBase: boolean, ...place: Path): Path {
    return [...(isBase ? [BASE] : []), 'spec', ...place];
  }

  /** Returns the deepest place that sets a value; else the place of its ceiling. */
  find(setting: Path): Path {
    const ofLayers = this.#layers().flatMap(({ source, layer }) => [
      { source, path: [...layer, ...setting] },
      ...this.#presets(source, layer, setting),
    ]);
    const known = ofLayers.find(({ source, path }) => hasPath(source.spec, path));
    if (known) return [...known.source.root, ...known.path];
    const ceiling = this.findCeiling(setting);
    if (ceiling) return ceiling;
    const [shorter] = ofLayers
      .flatMap(({ source, path }) =>
        path.map((_, i) => ({ source, path: path.slice(0, path.length - i) })),
      )
      .filter(({ source, path }) => path.length > 1 && hasPath(source.spec, path))
      .toSorted((a, b) => b.path.length - a.path.length);
    return shorter ? [...shorter.source.root, ...shorter.path] : ['spec', 'ceilings'];
  }

  /** Returns the place of a setting's ceiling, if it has one. */
  findCeiling(setting: Path): Path | undefined {
    const named = setting.filter((part) => !['hard', 'enforce', 'items'].includes(String(part)));
    return this.#first(['ceilings', ...named]);
  }

  /** Maps the place of a finding in a tenant to a place in the class. */
  mapTenantPath({ path, rule }: Finding): Path {
    const [, first, , last] = path;
    if (rule === 'ceiling-tenant-quota') return this.#firstOr(['ceilings', 'tenantQuota']);
    if (rule === 'cluster-allowed') return this.#firstOr(['allow', 'clusters']);
    if (first !== 'namespaces') return path;
    const environment = this.findEnvironment();
    if (last === 'environment') return [...(environment ?? ['spec', 'environments']), 'name'];
    return environment ?? ['spec'];
  }

  /** Returns the place of the selected environment, in the class itself if it declares that environment. */
  findEnvironment(): Path | undefined {
    const [layer] = this.#environments();
    return layer && [...layer.source.root, ...layer.layer];
  }

  #layers() {
    return [
      ...this.#environments(),
      ...this.#sources.map((source) => ({ source, layer: ['defaults'] as Path })),
    ];
  }

  #environments(): { readonly source: Source; readonly layer: Path }[] {
    return this.#sources.flatMap((source) => {
      const { environments = [] } = source.spec;
      const index = environments.findIndex(({ name }) => name === this.#environment);
      return index < 0 ? [] : [{ source, layer: ['environments', index] }];
    });
  }

  /** Returns the setting in the preset that a layer selects for the setting's group. */
  #presets({ spec }: Source, layer: Path, [group, ...rest]: Path) {
    if (group !== 'quota' && group !== 'limits' && group !== 'network') return [];
    const settings =
      layer[0] === 'defaults' ? spec.defaults : spec.environments?.[Number(layer[1])];
    const chosen = settings?.[group]?.preset;
    const list = presetLists[group];
    for (const source of this.#sources) {
      const offered = source.spec.presets?.[list] ?? [];
      const index = offered.findIndex(({ name }) => name === chosen);
      if (index >= 0) return [{ source, path: ['presets', list, index, ...rest] }];
    }
    return [];
  }

  #first(path: Path): Path | undefined {
    const source = this.#sources.find(({ spec }) => hasPath(spec, path));
    return source && [...source.root, ...path];
  }

  #firstOr(path: Path): Path {
    return this.#first(path) ?? ['spec', ...path];
  }
}

const presetLists = { quota: 'quotas', limits: 'limits', network: 'networks' } as const;
