import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMapping, valueAt } from '@tenantry/kube/mapping';
import { formatPath } from '@tenantry/kube/problem';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { buildChangeSet } from '../../../apps/plan/plan.ts';
import { strictest } from '../../../apps/plan/verdict.ts';
import { readDeclarations } from '../../../crds/declarations.ts';
import { platform as platformKind, type PlatformSpec } from '../../../crds/platform.ts';
import { tenant as tenantKind } from '../../../crds/tenant.ts';
import { tenantClass as classKind } from '../../../crds/tenant-class.ts';
import { importManifests } from '../../../import/import-manifests.ts';
import type { ManifestFile } from '../../../import/manifests.ts';
import { toTenantObject } from '../../../model/declared-objects.ts';
import { Fleet } from '../../../model/fleet.ts';
import { resolvePlatform } from '../../../model/platform.ts';
import { CLUSTER, readFolder } from '../fleet/imported.ts';

/** One change: a namespace before and after it. */
interface Change {
  readonly change: string;
  readonly namespace: string;
}

/** What the product decides about a change. */
export interface JudgedCase {
  readonly change: string;
  /** An agreement, or `refused` for a state that cannot be imported as a whole. */
  readonly verdict: string;
  readonly reasons: readonly string[];
}

type Files = readonly ManifestFile[];

/** The files of a Tenant in the output, and what the import could not declare. */
interface RenderedTenant {
  readonly texts: readonly (readonly [path: string, text: string])[];
  /** The content of what is left out, by its name and the reason. */
  readonly leftOut: ReadonlyMap<string, string>;
}

const platform = readPlatformSpec();

/** @returns the changes of a folder that is made as `TENANTRY_CHANGES` is */
export const listChanges = (folder: string): Change[] =>
  JSON.parse(readFileSync(join(folder, 'changes.json'), 'utf8')) as Change[];

/**
 * Imports the namespaces of all changes, a Tenant for each application, and decides about each change beside the
 * others as they were before theirs, or came. The source has a part of the fleet: a namespace that only policies name is added
 * as a bare one of the application that its name states.
 */
export function* judgeAll(folder: string, changes = listChanges(folder)): Generator<JudgedCase> {
  const states = changes.map((one) => ({
    ...one,
    before: readState(folder, one.change, 'before'),
    after: readState(folder, one.change, 'after'),
  }));
  const known = new Map<string, Files>();
  for (const { namespace, before, after } of states)
    if (!known.has(namespace)) known.set(namespace, (before ?? after)!);
  const facts = new Map<string, NamespaceFacts>();
  for (const { namespace, before, after } of states)
    if (!facts.has(namespace)) facts.set(namespace, readFacts(namespace, (before ?? after)!));
  for (const name of listNamedNamespaces(states)) {
    if (facts.has(name)) continue;
    facts.set(name, readFacts(name, []));
    known.set(name, [bareNamespace(name)]);
  }
  const tenantOf = (name: string): string => facts.get(name)!.application;
  const rendered = new Map(
    [...Map.groupBy(known, ([name]) => tenantOf(name))].map(([tenant, members]) => [
      tenant,
      render(tenant, new Map(members)),
    ]),
  );
  const teams = new Map([...facts.values()].map(({ application, team }) => [application, team]));
  for (const { change, namespace, before, after } of states) {
    const tenant = tenantOf(namespace);
    const others = [...rendered].flatMap(([name, { texts }]) => (name === tenant ? [] : texts));
    const build = (files: Files | undefined): RenderedTenant => {
      // Most changes have one side that is known already.
      if (files === known.get(namespace)) return rendered.get(tenant)!;
      const members = new Map([...known].filter(([name]) => tenantOf(name) === tenant));
      members.delete(namespace);
      if (files) members.set(namespace, files);
      return render(tenant, members);
    };
    const [was, is] = [build(before), build(after)];
    const refused = [...is.leftOut].flatMap(([what, content]) =>
      was.leftOut.get(what) === content ? [] : [what],
    );
    if (refused.length > 0) {
      yield { change, verdict: 'refused', reasons: refused };
      continue;
    }
    const policy = { ...resolvePlatform(platform), teamOf: (name: string) => teams.get(name) };
    const { changes: found } = buildChangeSet(
      [...others, ...was.texts],
      [...others, ...is.texts],
      policy,
    );
    const agreement = strictest(found.map(({ verdict }) => verdict))?.agreement ?? 'nobody';
    const reasons = found
      .filter(({ verdict }) => verdict.agreement === agreement)
      .map(
        ({ subject, message, verdict }) =>
          `${subject} ${message}: ${verdict.reason} (${verdict.rule})`,
      );
    yield { change, verdict: agreement, reasons };
  }
}

/** The application and the team of a namespace, as its annotations or its name say. */
interface NamespaceFacts {
  readonly application: string;
  readonly team?: string;
}

const ENVIRONMENT =
  /-(?:dev|development|test|uat|stage|staging|preprod|preproduction|prod|production|sandbox|live|qa|sit|demo|training)$/;

function readFacts(name: string, files: Files): NamespaceFacts {
  const application = name.replace(ENVIRONMENT, '');
  for (const { text } of files) {
    for (const { value } of readDocuments(text).documents) {
      if (!isMapping(value) || value['kind'] !== 'Namespace') continue;
      const team = valueAt(value, ['metadata', 'annotations', 'platform.example.com/team-name']);
      if (typeof team === 'string') return { application, team };
    }
  }
  return { application };
}

/** Lists the namespaces that network policies name. */
function listNamedNamespaces(
  states: readonly { before?: Files | undefined; after?: Files | undefined }[],
) {
  const found = new Set<string>();
  for (const { before = [], after = [] } of states) {
    for (const { text } of [...before, ...after])
      for (const [, name] of text.matchAll(/kubernetes\.io\/metadata\.name: *["']?([a-z0-9-]+)/g))
        found.add(name!);
  }
  return found;
}

const bareNamespace = (name: string): ManifestFile => ({
  file: 'namespace.yaml',
  text: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
});

function readState(folder: string, change: string, side: string): Files | undefined {
  const path = join(folder, change, side);
  if (!existsSync(path)) return undefined;
  return readFolder(path).map(({ file, text }) => ({ file, text: dropRests(text) }));
}

/**
 * Drops the rests of texts that were made anonymous: of a text of several lines, the first is replaced by a quoted
 * one, and the others are left, so that the file is no YAML.
 */
function dropRests(text: string): string {
  let indent: number | undefined;
  const lines = text.split('\n').filter((line) => {
    const own = line.length - line.trimStart().length;
    if (indent !== undefined && line.trim() !== '' && own > indent) return false;
    const key = /^(\s*)[A-Za-z0-9_./-]+:\s+"[^"]*"\s*$/.exec(line);
    indent = key ? key[1]!.length : undefined;
    return true;
  });
  return lines.join('\n');
}

/** Renders the namespaces of an application as one Tenant. */
function render(tenant: string, members: ReadonlyMap<string, Files>): RenderedTenant {
  if (members.size === 0) return { texts: [], leftOut: new Map() };
  const files = [...members].flatMap(([name, all]) =>
    all.map(({ file, text }) => ({ file: `${name}/${file}`, text })),
  );
  const pinned = new Map([...members.keys()].map((name) => [name, tenant]));
  const choices = { className: 'standard', cluster: CLUSTER, pinned, platform, keepGoing: true };
  const result = importManifests(files, choices);
  if (!('proof' in result)) throw new Error('must be imported, got a refusal');
  const fleet = new Fleet(resolvePlatform(result.fleet.platform));
  const texts = new Map(result.files.map(({ path, text }) => [path, text]));
  const declared = result.files
    .filter(({ path }) => !path.startsWith('resources/'))
    .flatMap(({ path, text }) => {
      const include = (file: string) => ({ file, text: texts.get(file)! });
      const read = readDeclarations(path, text, [tenantKind, classKind], include);
      if (read.problems.length > 0) throw new Error(read.problems[0]!.message);
      return read.declared;
    });
  for (const one of declared) if (one.kind === classKind.kind) fleet.classes.add(one);
  const leftOut = new Map([
    ...result.problems.map(({ file, message }) => [`${file}: ${message}`, ''] as const),
    ...result.proof.objects.flatMap((one) => {
      const { kind, metadata } = one.found.object;
      const reason = one.verdict === 'left-out' ? one.reason : one.verdict;
      return reason === 'equal'
        ? []
        : [
            [
              `${kind} ${metadata.namespace}/${metadata.name}: ${reason}`,
              JSON.stringify(one.found.object),
            ] as const,
          ];
    }),
  ]);
  const rendered = declared.flatMap((one) => {
    if (one.kind !== tenantKind.kind) return [];
    const folder = `clusters/${CLUSTER}/tenants/${one.name}`;
    const { namespaces, findings } = fleet.desired(one);
    const error = findings.find(({ severity }) => severity === 'error');
    if (error) throw new Error(`${one.name} ${formatPath(error.path)} ${error.message}`);
    return [
      [`${folder}/tenant.json`, JSON.stringify(toTenantObject(one))] as const,
      ...namespaces.map(({ name, objects }) => {
        const text = objects.map((object) => JSON.stringify(object)).join('\n---\n');
        return [`${folder}/namespace-${name}.yaml`, text] as const;
      }),
    ];
  });
  return { texts: rendered, leftOut };
}

function readPlatformSpec(): PlatformSpec {
  const file = join(import.meta.dirname, 'platform.yaml');
  const { declared, problems } = readDeclarations(
    file,
    readFileSync(file, 'utf8'),
    [platformKind],
    () => {
      throw new Error('a Platform includes no files');
    },
  );
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
  return declared[0]!.spec;
}
