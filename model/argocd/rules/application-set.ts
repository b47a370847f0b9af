import { errorAt, prefixFinding, type Finding } from '@tenantry/kube/finding';
import { formatList, show, type Path } from '@tenantry/kube/problem';
import type {
  ApplicationSetGenerator,
  ApplicationSetNestedGenerator,
  ApplicationSetSpec,
  ApplicationSpec,
} from '../api/types.ts';
import { validateApplication } from './application.ts';
import { isMapping } from '@tenantry/kube/mapping';

/** Fields of a generator that are not generators. */
const ASIDE = new Set(['selector']);

/** Validates what makes Argo CD create no Applications, or other ones than intended. Paths begin at the object. */
export function validateApplicationSet(spec: ApplicationSetSpec): Finding[] {
  const { generators, template } = spec;
  const misshapen = generators.flatMap((one, i) =>
    validateGenerator(one, ['spec', 'generators', i]),
  );
  // The parameters of malformed generators are unknown.
  if (misshapen.length > 0) return misshapen;
  return [
    ...validateApplication(template.spec as ApplicationSpec).map((one) =>
      prefixFinding(['spec', 'template', 'spec'], one),
    ),
    ...validateName(spec),
    ...validateTemplateProject(spec),
    ...validatePlaceholders(spec),
  ];
}

function validateGenerator(generator: ApplicationSetNestedGenerator, path: Path): Finding[] {
  const kinds = Object.keys(generator).filter((key) => !ASIDE.has(key));
  if (kinds.length !== 1) {
    const got = kinds.length === 0 ? 'none' : formatList(kinds);
    const message = `must be one generator, got ${got}`;
    return [errorAt(path, message, 'applicationset-generator')];
  }
  const { git } = generator;
  const { matrix, merge } = generator as ApplicationSetGenerator;
  const findings: Finding[] = [];
  if (git && (git.directories === undefined) === (git.files === undefined)) {
    const message = `must have directories or files, got ${git.files ? 'both' : 'neither'}`;
    findings.push(errorAt([...path, 'git'], message, 'applicationset-generator'));
  }
  if (matrix && matrix.generators.length !== 2) {
    const message = `must be two, got ${matrix.generators.length}`;
    findings.push(errorAt([...path, 'matrix', 'generators'], message, 'applicationset-generator'));
  }
  if (merge && merge.generators.length < 2) {
    const message = `must be two or more, got ${merge.generators.length}`;
    findings.push(errorAt([...path, 'merge', 'generators'], message, 'applicationset-generator'));
  }
  const [kind, inner] = matrix ? ['matrix', matrix.generators] : ['merge', merge?.generators];
  const within = (inner ?? []).flatMap((one, i) =>
    validateGenerator(one, [...path, kind as string, 'generators', i]),
  );
  return [...findings, ...within];
}

/** Validates that the name has a part that distinguishes the Applications: those of one name are one Application. */
function validateName({ generators, template }: ApplicationSetSpec): Finding[] {
  const { name = '' } = template.metadata;
  const path = ['spec', 'template', 'metadata', 'name'];
  if (parseActions(name).length === 0) {
    const message = `must hold a placeholder, so that each Application has a name of its own, got ${show(name)}`;
    return [errorAt(path, message, 'applicationset-name')];
  }
  const fields = parseFields(name);
  if (!fields) return [];
  return generators.flatMap(({ matrix }) =>
    (matrix?.generators ?? []).flatMap((one) => {
      const { names, isOpen } = resolveParameters(one);
      if (isOpen || fields.some(([first]) => names.has(first))) return [];
      const message = `must tell apart what the generator ${show(Object.keys(one)[0])} gives (${formatList([...names.keys()].map((each) => `.${each}`))}), got ${show(name)}: two Applications would have one name`;
      return [errorAt(path, message, 'applicationset-name')];
    }),
  );
}

/**
 * Validates that the project is a literal: otherwise the authors of what generators read could choose what Applications
 * may do.
 */
function validateTemplateProject({ template }: ApplicationSetSpec): Finding[] {
  const { project } = template.spec;
  if (parseActions(project).length === 0) return [];
  const message = `must be written out, got ${show(project)}: otherwise anyone who can write what the generators read chooses what Applications may do`;
  return [errorAt(['spec', 'template', 'spec', 'project'], message, 'applicationset-project')];
}

function validatePlaceholders({
  generators,
  template,
  templatePatch,
}: ApplicationSetSpec): Finding[] {
  const parameters = generators.map(resolveParameters);
  const texts = [
    ...walkTexts(template, ['spec', 'template']),
    ...walkTexts(templatePatch, ['spec', 'templatePatch']),
  ];
  return texts.flatMap(({ path, text }) => {
    const older = findLegacyPlaceholder(text);
    if (older !== undefined) {
      const message = `must be a Go template such as '{{.${older}}}', got '{{${older}}}'`;
      return [errorAt(path, message, 'applicationset-placeholder')];
    }
    const missing = (parseFields(text) ?? []).filter(
      (field) => !parameters.every((one) => hasField(one, field)),
    );
    return [...new Set(missing.map(formatField))].map((field) => {
      const known = [...new Set(parameters.flatMap(({ names }) => [...names.keys()]))];
      const message = `must be what every generator gives (${formatList(known.map((one) => `.${one}`))}), got ${show(`{{${field}}}`)}`;
      return errorAt(path, message, 'applicationset-placeholder');
    });
  });
}

function formatField(field: FieldPath): string {
  return `.${field.slice(0, 2).join('.')}`;
}

/** The parameters that generators give, and the placeholders of Go templates that name them, as far as possible without running them. */

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
