import type { Finding } from '../../../kube/finding.ts';
import { isMapping } from '../../../kube/mapping.ts';
import { formatPath, type Path } from '../../../kube/problem.ts';
import type { ResourcePreset } from '../../../crds/tenantry/resources.ts';
import { withoutLeftovers } from '../leftovers.ts';
import { fill, fillText, placeholdersIn, type Meanings } from '../placeholders.ts';
import { surroundingMeanings, type Surroundings } from '../surroundings.ts';
import { parametersOf } from './parameters.ts';

/** Where a preset is used. */
export interface UsePlace extends Surroundings {
  readonly cluster: string;
}

/** What an object was made from. */
export interface Origin {
  readonly preset: string;
  /** The manifest of the preset, with its placeholders. */
  readonly template: Readonly<Record<string, unknown>>;
  readonly meanings: Meanings;
  readonly parameters: ReadonlySet<string>;
}

/** An object that a preset made. */
export interface Made {
  readonly value: unknown;
  readonly origin: Origin;
  /** With paths that begin at the manifest of the preset. With any of these it must not be used. */
  readonly findings: readonly Finding[];
}

/** The objects of a preset with which nothing is wrong. */
export function madeBy(
  preset: ResourcePreset,
  values: ReadonlyMap<string, unknown>,
  place: UsePlace,
): readonly Made[] {
  const parameters = parametersOf(preset.parameters).map(({ name }) => name);
  const meanings = meaningsOf(parameters, values, place);
  return preset.manifests.map((written) => {
    const { manifest: template } = withoutLeftovers(written);
    const origin = { preset: preset.name, template, meanings, parameters: new Set(parameters) };
    return { ...fill(template, meanings), origin };
  });
}

function meaningsOf(
  parameters: readonly string[],
  values: ReadonlyMap<string, unknown>,
  place: UsePlace,
): Meanings {
  const lack = `namespace ${place.namespace} has no environment`;
  const meanings = surroundingMeanings(place, lack).set('cluster', { value: place.cluster });
  for (const name of parameters) {
    meanings.set(name, values.has(name) ? { value: values.get(name) } : { leftOut: true });
  }
  return meanings;
}

/** What a part of a made object comes from. */
export interface Source {
  /** In `values`, as deep as it can be told; undefined for what the preset itself says. */
  readonly values?: Path;
  /** Placeholders that are no parameters have a part in it. */
  readonly surroundings: boolean;
}

/** What a part of a made object comes from, by its path in the object. */
export function sourceOf({ template, meanings, parameters }: Origin, path: Path): Source {
  let at: unknown = template;
  let key = '';
  for (const [i, part] of path.entries()) {
    if (Array.isArray(at)) {
      at = at.filter((item) => fill(item, meanings).value !== undefined)[Number(part)];
      key = '';
    } else if (isMapping(at)) {
      const inner: Readonly<Record<string, unknown>> = at;
      const written = Object.keys(inner).find((one) => fillText(one, meanings).value === part);
      if (written === undefined) break;
      key = written;
      at = inner[written];
    } else {
      return sourceIn(at, key, path.slice(i), parameters);
    }
  }
  return sourceIn(at, key, [], parameters);
}

function sourceIn(at: unknown, key: string, rest: Path, parameters: ReadonlySet<string>): Source {
  const text = typeof at === 'string' ? at : '';
  const found = [...placeholdersIn(key), ...placeholdersIn(text)];
  const own = found.find(({ name }) => parameters.has(name));
  const surroundings = found.some(({ name }) => !parameters.has(name));
  if (!own) return { surroundings };
  return { values: own.whole ? [own.name, ...rest] : [own.name], surroundings };
}

/** Whether what stands at a place of a template, or the key before it, is filled in. */
export function isFilledIn(template: unknown, path: Path): boolean {
  let at = template;
  for (const part of path) {
    if (placeholdersIn(String(part)).length > 0) return true;
    if (typeof at !== 'object' || at === null) break;
    at = (at as Readonly<Record<string | number, unknown>>)[part];
  }
  return typeof at === 'string' && placeholdersIn(at).length > 0;
}

/** Where in a made object something is, as a message says it. */
export function placeWords({ preset, template }: Origin, path: Path): string {
  const of = path.length === 0 ? 'in' : `${formatPath(path)} of`;
  return `${of} the ${String(template['kind'])} of preset ${preset}`;
}
