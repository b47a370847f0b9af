/** The parameters that generators give, and the placeholders of Go templates that name them, as far as possible without running them. */
import { isMapping } from '@tenantry/kube/mapping';
import type { ApplicationSetGenerator, ApplicationSetNestedGenerator } from '../api/types.ts';

/**
 * The parameters of a generator. `undefined` below a name allows any field; an open generator may have other
 * parameters.
 */
interface Parameters {
  readonly names: ReadonlyMap<string, ReadonlySet<string> | undefined>;
  readonly isOpen: boolean;
}

const PATH = new Set(['path', 'basename', 'basenameNormalized', 'segments']);

/** Resolves what each set of parameters of a generator contains. */
export function resolveParameters(generator: ApplicationSetNestedGenerator): Parameters {
  const { list, clusters, git } = generator;
  const { matrix, merge } = generator as ApplicationSetGenerator;
  const inner = matrix?.generators ?? merge?.generators;
  if (inner) return mergeParameters(inner.map(resolveParameters));
  if (list) return readListParameters(list.elements ?? [], list.elementsYaml !== undefined);
  if (clusters) {
    if (clusters.flatList) return createParameters({ clusters: undefined });
    const metadata = new Set(['labels', 'annotations']);
    const values = clusters.values ? new Set(Object.keys(clusters.values)) : undefined;
    const plain = { name: undefined, nameNormalized: undefined, server: undefined };
    return createParameters({ ...plain, project: undefined, metadata, ...(values && { values }) });
  }
  if (git) {
    const values = git.values ? new Set(Object.keys(git.values)) : undefined;
    const { pathParamPrefix: prefix = '' } = git;
    const found = createParameters({
      ...(prefix === '' ? { path: PATH } : { [prefix]: new Set(['path']) }),
      ...(values && { values }),
    });
    return { ...found, isOpen: git.files !== undefined };
  }
  return { names: new Map(), isOpen: true };
}

/** Whether a field exists, as far as that is known. */
export function hasField({ names, isOpen }: Parameters, [name, field]: FieldPath): boolean {
  if (!names.has(name)) return isOpen;
  const fields = names.get(name);
  return field === undefined || fields === undefined || isOpen || fields.has(field);
}

function createParameters(names: Record<string, ReadonlySet<string> | undefined>): Parameters {
  return { names: new Map(Object.entries(names)), isOpen: false };
}

function mergeParameters(all: readonly Parameters[]): Parameters {
  const names = new Map<string, ReadonlySet<string> | undefined>();
  for (const one of all) {
    for (const [name, fields] of one.names) {
      const before = names.get(name);
      const isFirst = !names.has(name);
      const both = fields && before ? new Set([...fields, ...before]) : undefined;
      names.set(name, isFirst ? fields : both);
    }
  }
  return { names, isOpen: all.some(({ isOpen }) => isOpen) };
}

/** Returns the parameters that all elements have. */
function readListParameters(elements: readonly unknown[], isOpen: boolean): Parameters {
  const [first, ...rest] = elements.filter(isMapping);
  const shared = Object.keys(first ?? {}).filter((key) => rest.every((one) => key in one));
  return { names: new Map(shared.map((key) => [key, undefined])), isOpen };
}

/** A field that a template names, such as `.path.basename`. */
export type FieldPath = readonly [string, ...string[]];

const ACTION = /\{\{-?(.*?)-?\}\}/gs;

/** Returns the content of each `{{ }}` in a text, without comments. */
export function parseActions(text: string): readonly string[] {
  return [...text.matchAll(ACTION)]
    .map(([, action]) => action!.trim())
    .filter((action) => !action.startsWith('/*'));
}

/** Returns the fields of parameters that a text names, or undefined if the meaning of a dot cannot be determined. */
export function parseFields(text: string): readonly FieldPath[] | undefined {
  const actions = parseActions(text);
  if (actions.some((action) => /^(?:range|with|define|template|block)\b|\$\w/.test(action))) {
    return undefined;
  }
  return actions.flatMap((action) => {
    const bare = action.replaceAll(/"(?:\\.|[^"\\])*"|`[^`]*`/gs, '""');
    const named = bare.matchAll(/(?<![\w)\]"])\$?\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)/g);
    return [...named].map(([, path]) => path!.split('.') as [string, ...string[]]);
  });
}

/** Finds a placeholder of the older language, such as `path.basename`, which Go templates read as a function. */
export function findLegacyPlaceholder(text: string): string | undefined {
  const older =
    /^(?:path|name|nameNormalized|server|metadata|values|branch|number|url|cluster)\b(?![(\s])/;
  return parseActions(text).find((action) => older.test(action));
}

/** Yields every text in a value with its path, keys included. */
export function* walkTexts(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<{ readonly path: readonly (string | number)[]; readonly text: string }> {
  if (typeof value === 'string') yield { path, text: value };
  else if (Array.isArray(value)) {
    for (const [i, one] of value.entries()) yield* walkTexts(one, [...path, i]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) {
      if (key.includes('{{')) yield { path: [...path, key], text: key };
      yield* walkTexts(one, [...path, key]);
    }
  }
}
