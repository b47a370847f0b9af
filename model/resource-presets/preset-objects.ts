import type { TenantFinding } from '../findings/tenant-finding.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { formatPath, type Path } from '@tenantry/kube/problem';
import type { ResourcePreset } from '../../crds/resources.ts';
import {
  fillPlaceholders,
  fillTextPlaceholders,
  findPlaceholders,
  buildPlaceholderValues,
  type PlaceholderValues,
  type Placeholder,
  type PlaceholderContext,
} from '../placeholders.ts';
import { removeLeftovers } from './manifest.ts';
import { listParameters } from './parameters.ts';

/** The place where a preset is used. */
export interface PresetContext extends PlaceholderContext {
  readonly cluster: string;
}

/** The source of an object that a preset rendered. */
export interface Origin {
  readonly preset: string;
  /** The manifest of the preset, with its placeholders. */
  readonly template: Readonly<Record<string, unknown>>;
  readonly meanings: PlaceholderValues;
  readonly parameters: ReadonlySet<string>;
}

/** An object that a preset rendered. */
export interface PresetObject {
  readonly value: unknown;
  readonly origin: Origin;
  /** Findings with paths that begin at the manifest of the preset. If there are any, the object must not be used. */
  readonly findings: readonly TenantFinding<'placeholder'>[];
}

/** Renders the objects of a preset that has no error. */
export function renderPreset(
  preset: ResourcePreset,
  values: ReadonlyMap<string, unknown>,
  place: PresetContext,
): readonly PresetObject[] {
  const { parameters, templates } = preparePreset(preset);
  const meanings = buildPresetPlaceholders(parameters, values, place);
  return templates.map((template) => {
    const origin = { preset: preset.name, template, meanings, parameters };
    return { ...fillPlaceholders(template, meanings), origin };
  });
}

/** What is the same in all uses of a preset. */
interface PreparedPreset {
  readonly parameters: ReadonlySet<string>;
  readonly templates: readonly Readonly<Record<string, unknown>>[];
}

const prepared = new WeakMap<ResourcePreset, PreparedPreset>();

/** Prepares a preset for its uses, once. It must not be changed afterwards. */
function preparePreset(preset: ResourcePreset): PreparedPreset {
  const known = prepared.get(preset);
  if (known) return known;
  const own: PreparedPreset = {
    parameters: new Set(listParameters(preset.parameters).map(({ name }) => name)),
    templates: preset.manifests.map((written) => removeLeftovers(written).manifest),
  };
  prepared.set(preset, own);
  return own;
}

function buildPresetPlaceholders(
  parameters: ReadonlySet<string>,
  values: ReadonlyMap<string, unknown>,
  place: PresetContext,
): PlaceholderValues {
  const lack = `namespace ${place.namespace} has no environment`;
  const meanings = buildPlaceholderValues(place, lack).set('cluster', { value: place.cluster });
  for (const name of parameters) {
    meanings.set(name, values.has(name) ? { value: values.get(name) } : { leftOut: true });
  }
  return meanings;
}

/** The source of a part of a rendered object. */
interface ValueSource {
  /** The path in `values`, as deep as it can be determined; undefined for what the preset itself sets. */
  readonly values?: Path;
  /** Whether placeholders that are not parameters contribute to it. */
  readonly surroundings: boolean;
}

/**
 * The aspect of a part of an object: the last key of its path, the type of its value, or its whole content. Default:
 * the key, and the value if it is a text
 */
export type Aspect = 'key' | 'type' | 'content';

/** Finds the source of a part of a rendered object, by its path in the object. */
export function findValueSource(
  { template, meanings, parameters }: Origin,
  path: Path,
  aspect?: Aspect,
): ValueSource {
  let at: unknown = template;
  let key = '';
  for (const [i, part] of path.entries()) {
    if (Array.isArray(at)) {
      at = at.filter((item) => fillPlaceholders(item, meanings).value !== undefined)[Number(part)];
      key = '';
    } else if (isMapping(at)) {
      const inner: Readonly<Record<string, unknown>> = at;
      const written = Object.keys(inner).find(
        (one) => fillTextPlaceholders(one, meanings).value === part,
      );
      if (written === undefined) {
        at = Object.keys(inner);
        break;
      }
      key = written;
      at = inner[written];
    } else {
      return resolveValueSource(listPartPlaceholders(key, at), path.slice(i), parameters);
    }
  }
  return resolveValueSource(listPartPlaceholders(key, at, aspect), [], parameters);
}

/** Lists the placeholders on which a part of a template depends, by its key and its value. */
function listPartPlaceholders(key: string, at: unknown, aspect?: Aspect): readonly Placeholder[] {
  const ofKey = findPlaceholders(key);
  if (aspect === 'key') return ofKey;
  if (aspect === 'content') return [...ofKey, ...findPlaceholders(at)];
  const ofText = typeof at === 'string' ? findPlaceholders(at) : [];
  return [...ofKey, ...ofText.filter(({ whole }) => whole || aspect !== 'type')];
}

function resolveValueSource(
  found: readonly Placeholder[],
  rest: Path,
  parameters: ReadonlySet<string>,
): ValueSource {
  const own = found.filter(({ name }) => parameters.has(name));
  const surroundings = own.length < found.length;
  const [one] = own;
  if (!one) return { surroundings };
  // Findings about placeholders of one text are reported for the first.
  const isOne = own.every(({ name, path }) => name === one.name || isSamePath(path, one.path));
  if (!isOne) return { values: [], surroundings };
  return { values: one.whole ? [one.name, ...rest] : [one.name], surroundings };
}

const isSamePath = (one: Path, other: Path): boolean => one.join('\0') === other.join('\0');

/** Whether an aspect of a part of a template is filled in, or may become another text. */
export function isFilledIn(template: unknown, path: Path, aspect?: Aspect): boolean {
  let at = template;
  for (const part of path) {
    if (findPlaceholders(String(part)).length > 0) return true;
    if (Array.isArray(at)) at = at[Number(part)];
    else if (isMapping(at)) at = Object.hasOwn(at, part) ? at[part] : Object.keys(at);
    else break;
  }
  if (aspect === 'content') return containsBrace(at);
  return listPartPlaceholders('', at, aspect).length > 0;
}

function containsBrace(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{');
  if (Array.isArray(value)) return value.some(containsBrace);
  return isMapping(value) && Object.entries(value).some((entry) => entry.some(containsBrace));
}

/** Formats the place of a part of a rendered object for a message. */
export function formatOrigin({ preset, template }: Origin, path: Path): string {
  const of = path.length === 0 ? 'in' : `${formatPath(path)} of`;
  return `${of} the ${String(template['kind'])} of preset ${preset}`;
}
