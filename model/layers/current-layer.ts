import type { Path } from '@tenantry/kube/problem';
import { accessLevels, type Access, type Holders } from '../../crds/access.ts';
import type { NetworkSettings } from '../../crds/network.ts';
import { hasEnded } from '../end-dates.ts';
import type { Layer } from './layer.ts';

/**
 * Returns a layer without what is over on a date. Places of what stays are those in the declaration. A layer in which
 * nothing is over is returned itself, as is every layer if the date is not known.
 */
export function dropEnded(layer: Layer, date: string | undefined): Layer {
  if (date === undefined) return layer;
  const dropped = new EntryFilter(date);
  const { access, network } = layer.settings;
  const current = {
    ...layer.settings,
    ...(access && { access: dropAccess(access, dropped) }),
    ...(network && { network: dropRules(network, dropped) }),
  };
  if (!dropped.isAny) return layer;
  return { ...layer, settings: current, at: (...setting) => layer.at(...dropped.locate(setting)) };
}

function dropAccess(access: Access, filter: EntryFilter): Access {
  const { clusterRoles, roles, breakGlass } = access;
  const levels = accessLevels.flatMap((level): [string, Holders][] => {
    const holders = access[level];
    if (!holders?.temporary) return [];
    const temporary = filter.keep(holders.temporary, ['access', level, 'temporary']);
    return [[level, { ...holders, temporary }]];
  });
  return {
    ...access,
    ...Object.fromEntries(levels),
    ...(clusterRoles && { clusterRoles: filter.keep(clusterRoles, ['access', 'clusterRoles']) }),
    ...(roles && { roles: filter.keep(roles, ['access', 'roles']) }),
    ...(breakGlass && { breakGlass: filter.keep(breakGlass, ['access', 'breakGlass']) }),
  };
}

function dropRules(network: NetworkSettings, filter: EntryFilter): NetworkSettings {
  const { allowFrom, allowTo } = network;
  return {
    ...network,
    ...(allowFrom && { allowFrom: filter.keep(allowFrom, ['network', 'allowFrom']) }),
    ...(allowTo && { allowTo: filter.keep(allowTo, ['network', 'allowTo']) }),
  };
}

/** Removes entries that are over from lists, and knows where the others were. */
class EntryFilter {
  readonly #date: string;
  /** The positions of the kept entries, by list. */
  readonly #kept: { readonly list: Path; readonly indexes: readonly number[] }[] = [];

  constructor(date: string) {
    this.#date = date;
  }

  get isAny(): boolean {
    return this.#kept.length > 0;
  }

  keep<T extends { readonly until?: string }>(entries: readonly T[], list: Path): readonly T[] {
    const indexes = [...entries.keys()].filter((i) => !hasEnded(entries[i]!.until, this.#date));
    if (indexes.length === entries.length) return entries;
    this.#kept.push({ list, indexes });
    return indexes.map((i) => entries[i]!);
  }

  /** Returns the place that an entry had before others were removed. */
  locate(setting: Path): Path {
    for (const { list, indexes } of this.#kept) {
      const index = setting[list.length];
      const isInside = typeof index === 'number' && list.every((part, i) => setting[i] === part);
      if (isInside) return [...list, indexes[index] ?? index, ...setting.slice(list.length + 1)];
    }
    return setting;
  }
}
