import { compareVersionPriority } from '../compatibility/version-priority.ts';
import type { CustomResourceDefinitionVersion } from '../custom-resource-definition.ts';
import { CappedProblems, type LocatedDefinition } from '../manifests.ts';
import { errorAt, prefixFinding, type Finding } from '@tenantry/kube/finding';
import { show, type Path, type Problem } from '@tenantry/kube/problem';
import { DNS_LABEL, DNS_SUBDOMAIN } from '@tenantry/kube/names';
import { camel, propertyName, quoted, typeName, literal } from './identifiers-and-literals.ts';
import { comment, listNotes, WIDTH } from './comment.ts';
import { renderTypes, type VersionTypes } from './types.ts';

/** A definition as TypeScript. */
export interface ImportedModule {
  /** `<group>/<plural>.ts`. */
  readonly path: string;
  readonly text: string;
  /** The name under which it exports the definition. */
  readonly definition: string;
  /** Places where the types are wider than the schema intended. */
  readonly warnings: readonly Problem[];
}

/** The imports of every file; nothing else in it may have these names. */
const imports = ['CustomResourceDefinitionManifest', 'Schema', 'customResource', 'definitionOf'];
const IMPORTS = `import { definitionOf, type CustomResourceDefinitionManifest } from '@tenantry/crd';
import { customResource } from '@tenantry/crd/constructs';
import type { Schema } from '@tenantry/crd/schema';
`;
/** The global names of TypeScript that the text uses, or that its CommonJS form uses. */
const builtIn = ['Object', 'Omit'];
const MANIFEST = 'manifest';
const LISTED = 20;

interface ModuleVersion {
  readonly name: string;
  /** The namespace of its types; undefined for the version with top-level types. */
  readonly namespace?: string;
  readonly types: VersionTypes;
  readonly served: boolean;
  readonly props: CustomResourceDefinitionVersion;
}

/**
 * The TypeScript of a CustomResourceDefinition: types for every version, the definition, and a
 * construct for every version that is served. The text depends on the definition and on `source`
 * alone. `problems` where the names of the definition cannot name a file.
 * @param source what was imported, for a person who wants to do it again
 */
export function renderModule(
  located: LocatedDefinition,
  source: string,
): ImportedModule | { readonly problems: readonly Problem[] } {
  const { group, names } = located.manifest.spec;
  const problems = nameProblems(located);
  if (problems.length > 0) return { problems };
  const versions = collectModuleVersions(located);
  const warnings: Problem[] = [];
  const some = new CappedProblems(located.problem, warnings);
  for (const [i, { name }] of located.manifest.spec.versions.entries()) {
    const { types } = versions.find((version) => version.name === name)!;
    const at = ['spec', 'versions', i, 'schema', 'openAPIV3Schema'];
    for (const fallback of types.fallbacks) {
      some.report(prefixFinding(at, fallback));
    }
  }
  some.finish();
  const text = [
    header(located, versions, source),
    IMPORTS,
    ...declarations(located, versions),
    ...versions.flatMap(renderNamespace),
    manifestFunction(located),
  ].join('\n');
  const definition = definitionName(classOf(names.kind));
  return { path: `${group}/${names.plural}.ts`, text, definition, warnings };
}

const GROUP = new RegExp(DNS_SUBDOMAIN);
const LABEL = new RegExp(DNS_LABEL);

/** Names that would name no file, and versions that are one. */
function nameProblems({ manifest, problem }: LocatedDefinition): Problem[] {
  const { group, names, versions } = manifest.spec;
  const problems: Problem[] = [];
  const checkName = (path: Path, name: string, form: RegExp): void => {
    if (form.test(name) && name.length <= 253) return;
    const must = `must be lower-case letters, digits and '-'${form === GROUP ? ", with '.' between" : ''}`;
    problems.push(problem(errorAt(path, `${must}, got ${show(name)}`, 'names')));
  };
  checkName(['spec', 'group'], group, GROUP);
  checkName(['spec', 'names', 'plural'], names.plural, LABEL);
  const seen = new Set<string>();
  for (const [i, { name }] of versions.entries()) {
    const path = ['spec', 'versions', i, 'name'];
    checkName(path, name, LABEL);
    if (seen.has(name)) {
      const message = `must be a version of its own, got ${show(name)} again`;
      problems.push(problem(errorAt(path, message, 'names')));
    }
    seen.add(name);
  }
  if (versions.length === 0) {
    const message = 'must have a version, got an empty list';
    problems.push(problem(errorAt(['spec', 'versions'], message, 'names')));
  }
  return problems;
}

/** The preferred version first: the newest and most stable that is served. */
function collectModuleVersions({ manifest }: LocatedDefinition): ModuleVersion[] {
  const kind = classOf(manifest.spec.names.kind);
  const sorted = manifest.spec.versions.toSorted(
    (a, b) => Number(b.served) - Number(a.served) || compareVersionPriority(a.name, b.name),
  );
  const classes = sorted.map(({ name }, i) => (i === 0 ? kind : otherClass(kind, name)));
  const spaces = sorted.map(({ name }) => namespaceOf(name));
  const taken = [...imports, ...builtIn, ...classes, ...spaces, definitionName(kind), MANIFEST];
  const versions: ModuleVersion[] = [];
  const byText = new Map<string, ModuleVersion>();
  for (const [i, props] of sorted.entries()) {
    const { name, served, schema } = props;
    const plain = renderTypes(kind, schema?.openAPIV3Schema ?? {}, taken, '');
    const same = byText.get(plain.text);
    if (same) versions.push({ ...same, name, served, props });
    else {
      const namespace = i === 0 ? undefined : spaces[i]!;
      const types =
        namespace === undefined
          ? plain
          : renderTypes(kind, schema?.openAPIV3Schema ?? {}, taken, '  ');
      const version = { name, served, props, types, ...(namespace !== undefined && { namespace }) };
      byText.set(plain.text, version);
      versions.push(version);
    }
  }
  return versions;
}

/** The class of a kind in its preferred version, and what names of types begin with. */
function classOf(kind: string): string {
  const name = typeName(kind);
  return [...imports, ...builtIn].includes(name) ? `${name}Resource` : name;
}

/** Returns the class name of another version, which differs for each version. */
function otherClass(kind: string, version: string): string {
  return kind + namespaceOf(version).replace(/^./, (first) => first.toUpperCase());
}

function namespaceOf(version: string): string {
  const name = version.replaceAll(/[^\p{ID_Continue}]+/gu, '_');
  return /^v\d/.test(name) ? name : `version_${name}`;
}

function definitionName(kind: string): string {
  return `${camel(kind)}Definition`;
}

function header(
  { manifest }: LocatedDefinition,
  versions: readonly ModuleVersion[],
  source: string,
): string {
  const fallbackLines = versions.flatMap(({ name, types }) =>
    types.fallbacks.map(
      (fallback) => `// - ${name} ${formatFieldPath(fallback)} ${fallback.message}`,
    ),
  );
  const listed = fallbackLines.slice(0, LISTED);
  if (fallbackLines.length > LISTED) listed.push(`// - and ${fallbackLines.length - LISTED} more`);
  return [
    `// ${manifest.metadata.name}, imported by Tenantry. Do not edit: import it again instead, with`,
    `//     tenantry crd import ${oneLine(source)}`,
    ...(listed.length === 0 ? [] : ['// Where the types say less than they could:', ...listed]),
    '/* eslint-disable */',
    '',
  ]
    .map((line) => oneLine(line))
    .join('\n');
}

/** The field that a path of a schema is about: `spec.rules[].from`. */
function formatFieldPath({ path }: Finding): string {
  let text = '';
  for (let i = 0; i < path.length; i += 1) {
    if (path[i] === 'properties') {
      i += 1;
      text += `${text === '' ? '' : '.'}${String(path[i])}`;
    } else text += path[i] === 'items' ? '[]' : '{}';
  }
  return text === '' ? 'the object' : text;
}

/** A comment ends with its line. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\u2028\u2029]+/g, ' ');
}

function declarations(
  { manifest }: LocatedDefinition,
  versions: readonly ModuleVersion[],
): string[] {
  const { group, names } = manifest.spec;
  const kind = classOf(names.kind);
  const definition = definitionName(kind);
  const schemas = versions.map(({ name, namespace, types }) => {
    const space = namespace === undefined ? '' : `${namespace}.`;
    const { input, stored } = types;
    const args = input === stored ? [space + input] : [space + stored, space + input];
    return `${call(`  readonly ${propertyName(name)}: Schema`, '<>', args, ';')}\n`;
  });
  const served = versions.filter((version) => version.served);
  return [
    `${comment([`The definition of ${oneLine(names.kind)} (${group}).`], '')}export const ${definition} = definitionOf<{\n${schemas.join('')}}>(${MANIFEST}());\n`,
    ...served.map((version) => {
      const name = version === versions[0] ? kind : otherClass(kind, version.name);
      const head = `export class ${name} extends customResource`;
      const line = call(head, '()', [definition, quoted(version.name)], ' {}');
      return `${comment(classNotes(version, group), '')}${line}\n`;
    }),
  ];
}

/** Arguments on one line, or on one each where that is too long, as prettier has it. */
function call(head: string, brackets: '<>' | '()', args: readonly string[], tail: string): string {
  const [open, close] = brackets;
  const line = `${head}${open}${args.join(', ')}${close}${tail}`;
  if (line.length <= WIDTH) return line;
  const outer = /^ */.exec(head)![0];
  const last = brackets === '()' ? ',' : '';
  return `${head}${open}\n${args.map((arg) => `${outer}  ${arg}`).join(',\n')}${last}\n${outer}${close}${tail}`;
}

function classNotes({ name, props }: ModuleVersion, group: string): string[] {
  const notes = listNotes(props.schema?.openAPIV3Schema ?? {}).filter(
    (one) => !one.startsWith('@'),
  );
  const warning = props.deprecationWarning ?? `${group}/${name} is deprecated`;
  return [
    ...(notes.length > 0 ? notes : [`An object of ${group}/${name}.`]),
    ...(props.deprecated ? [`@deprecated ${oneLine(warning)}`] : []),
  ];
}

function renderNamespace(
  { name, namespace, types }: ModuleVersion,
  i: number,
  all: readonly ModuleVersion[],
): string[] {
  if (namespace === undefined) return i === 0 ? [types.text] : [];
  if (all.findIndex((version) => version.namespace === namespace) < i) return [];
  const sharing = all.filter((version) => version.types === types).map((version) => version.name);
  const whose = sharing.length > 1 ? sharing.join(', ') : name;
  return [
    `${comment([`Types of ${whose}.`], '')}export declare namespace ${namespace} {\n${types.text}}\n`,
  ];
}

/** Renders a function, so that the types can precede the data. */
function manifestFunction({ manifest }: LocatedDefinition): string {
  return `// prettier-ignore\nfunction ${MANIFEST}(): CustomResourceDefinitionManifest {\nreturn ${literal(manifest)};\n}\n`;
}
