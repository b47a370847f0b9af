import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { CLUSTERS } from '@tenantry/kube/construct-metadata';
import { isMapping, valueAt } from '@tenantry/kube/mapping';
import type { Problem } from '@tenantry/kube/problem';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { parseCluster, validateObject } from '../../synth/manifests/manifests.ts';
import { parseGeneratedPath } from '../../synth/output/generated-line.ts';
import type { OutputTexts } from '../output-texts.ts';
import { findReadMarks, isOfTenantry, listMarks, marks, removeMarks, type Mark } from './marks.ts';
import { describeLoss, isAdmissionPolicy, removeExemptions } from './policies.ts';

/** Why an object is left out. */
export type LeftOutReason =
  /** It is of Tenantry's own kinds, or defines one. */
  | 'kind'
  /** It belongs to the operator. */
  | 'operator'
  /** It is an admission policy, and policies are not kept. */
  | 'policy'
  /** It is the Application of a folder that is left out. Argo CD keeps what it applied. */
  | 'application';

/** An object of the output that is not ejected. */
export interface LeftOut {
  readonly path: string;
  /** The cluster of the object; '' for objects of Argo CD's own cluster. */
  readonly cluster: string;
  readonly object: KubeObject;
  readonly reason: LeftOutReason;
}

/** A mark, and whether it is removed. */
export interface MarkDecision {
  readonly mark: Mark;
  /** The number of objects that have it. */
  readonly objects: number;
  /** The objects that read it, as `Kind name`, and files that are no manifests, sorted. If there are any, it stays. */
  readonly readers: readonly string[];
}

/** An output as plain YAML, and what the ejection changed in it. */
export interface Ejection {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly leftOut: readonly LeftOut[];
  /** Files that are left out because they are only about the generated output, or the bundle of the operator. */
  readonly leftOutFiles: readonly string[];
  /** Every mark that an object has. */
  readonly marks: readonly MarkDecision[];
  /** The admission policies of Tenantry, and what happens without each. */
  readonly policies: readonly { readonly name: string; readonly loss: string }[];
  /** The number of objects in the files. */
  readonly objects: number;
  /** The clusters of the output, sorted. */
  readonly clusters: readonly string[];
  /** Objects of the files, by which the steps are chosen. */
  readonly kept: readonly PlacedObject[];
  /** Files of an app's own objects whose Application is left out. Nothing syncs them any more. */
  readonly unsynced: readonly string[];
}

/** An object with its file. */
export interface PlacedObject {
  readonly path: string;
  readonly object: KubeObject;
}

/**
 * Builds the plain YAML of a rendered output. Each object keeps its path, so that whatever syncs the folder finds every
 * object where it was. It leaves out Tenantry's kinds, its operator and, on request, its admission policies; and it
 * removes the marks that no remaining object reads. Everything else stays as it is.
 * @returns the problems if a file cannot be read
 */
export function ejectOutput(
  output: OutputTexts,
  { withoutPolicies }: { readonly withoutPolicies: boolean },
): Ejection | { readonly problems: readonly Problem[] } {
  const { files, problems } = readFiles(output);
  problems.push(...files.flatMap(findFluxProblems));
  if (problems.length > 0) return { problems };
  const sorted = files.map((file) => sortObjects(file, withoutPolicies));
  const leftOut = sorted.flatMap((file) => file.leftOut);
  const kept = sorted.flatMap(({ path, kept }) => kept.map((object) => ({ path, object })));
  const users = listOperatorUsers(leftOut);
  const decisions = decideMarks(
    kept,
    files.filter((file) => !isSynced(file.path) && !isAboutOutput(file)),
  );
  const removed = new Set(
    decisions.filter(({ readers }) => readers.length === 0).map(({ mark }) => mark),
  );
  const rewrite = (object: KubeObject): KubeObject => {
    const policy = isPolicyOfTenantry(object) ? removeExemptions(object, users) : object;
    return removeMarks(removeCustomizations(policy), removed);
  };
  return {
    files: sorted.flatMap((file) => buildFile(file, rewrite)),
    leftOut,
    leftOutFiles: files.filter(isAboutOutput).map(({ path }) => path),
    marks: decisions,
    policies: listPolicies(sorted),
    objects: kept.length,
    clusters: [...new Set(files.map(({ path }) => parseCluster(path)))].filter(Boolean).toSorted(),
    kept,
    unsynced: listUnsynced(kept, leftOut),
  };
}

function listUnsynced(kept: readonly PlacedObject[], leftOut: readonly LeftOut[]): string[] {
  const folders = leftOut.flatMap(({ path }) => {
    const { cluster, folder } = APPLICATION_FILE.exec(path)?.groups ?? {};
    return cluster === undefined ? [] : [`${CLUSTERS}/${cluster}/${folder}/`];
  });
  const paths = kept.flatMap(({ path }) =>
    folders.some((one) => path.startsWith(one)) ? [path] : [],
  );
  return [...new Set(paths)];
}

interface ReadFile {
  readonly path: string;
  /** The text without the line of a generated file. */
  readonly text: string;
  readonly isGenerated: boolean;
  /** The objects of a YAML file. */
  readonly objects: readonly KubeObject[];
}

function readFiles(output: OutputTexts) {
  const files: ReadFile[] = [];
  const problems: Problem[] = [];
  for (const [path, whole] of output) {
    const { text, isGenerated } = removeGeneratedLine(whole);
    const objects = isSynced(path) ? readObjects(path, whole, problems) : [];
    files.push({ path, text, isGenerated, objects });
  }
  return { files, problems };
}

/** Whether a file has objects that are applied. Others, such as bundles, are copied. */
const isSynced = (path: string): boolean => /^(clusters|argocd|flux)\/.*\.ya?ml$/.test(path);

function removeGeneratedLine(text: string): Pick<ReadFile, 'text' | 'isGenerated'> {
  const end = text.indexOf('\n');
  const line = end < 0 ? text : text.slice(0, end);
  if (parseGeneratedPath(line) === undefined) return { text, isGenerated: false };
  return { text: end < 0 ? '' : text.slice(end + 1), isGenerated: true };
}

function readObjects(file: string, text: string, problems: Problem[]): KubeObject[] {
  const { documents, problems: wrong } = readDocuments(text);
  problems.push(...wrong.map((problem) => ({ ...problem, file, path: '', rule: 'yaml' })));
  return documents.flatMap(({ value }) => {
    const finding = validateObject(value);
    if (finding === undefined) return [value as KubeObject];
    const { message } = finding;
    problems.push({ file, path: '', message, rule: 'document' });
    return [];
  });
}

/**
 * Refuses Flux. A Kustomization deletes what it applied when it is deleted, and its folders depend on each other, so
 * the steps for Argo CD would delete the operator and its policy in any order.
 */
function findFluxProblems({ path: file, objects }: ReadFile): Problem[] {
  return objects.flatMap(({ apiVersion, kind, metadata, spec }) => {
    const isFlux =
      kind === 'Kustomization' && groupOf(apiVersion) === 'kustomize.toolkit.fluxcd.io';
    if (
      !isFlux ||
      !/(^|\/)clusters\/[^/]+\/(crds|operator)\/?$/.test(String(valueAt(spec, ['path'])))
    ) {
      return [];
    }
    const message = `must not be synced by Flux: the steps of an ejection are for Argo CD and kubectl, got Kustomization ${metadata.name}`;
    return [{ file, path: 'spec.path', message, rule: 'eject-flux' }];
  });
}

interface SortedFile extends ReadFile {
  readonly kept: readonly KubeObject[];
  readonly leftOut: readonly LeftOut[];
}

function sortObjects(file: ReadFile, withoutPolicies: boolean): SortedFile {
  const { path } = file;
  const cluster = parseCluster(path);
  const kept: KubeObject[] = [];
  const leftOut: LeftOut[] = [];
  for (const object of file.objects) {
    const reason = findReason(path, object, withoutPolicies);
    if (reason === undefined) kept.push(object);
    else leftOut.push({ path, cluster, object, reason });
  }
  return { ...file, kept, leftOut };
}

function findReason(
  path: string,
  object: KubeObject,
  withoutPolicies: boolean,
): LeftOutReason | undefined {
  if (isOfTenantry(object)) return 'kind';
  if (OPERATOR_FILE.test(path)) return 'operator';
  if (withoutPolicies && isPolicyOfTenantry(object)) return 'policy';
  const folder = APPLICATION_FILE.exec(path)?.groups?.['folder'];
  if (folder === undefined || (folder === 'policies' && !withoutPolicies)) return undefined;
  return 'application';
}

const OPERATOR_FILE = new RegExp(`^${CLUSTERS}/[^/]+/operator/(operator|telemetry)\\.yaml$`);
const APPLICATION_FILE =
  /^argocd\/clusters\/(?<cluster>[^/]+)\/(?<folder>crds|operator|tenantclasses|policies)\.yaml$/;

function isPolicyOfTenantry(object: KubeObject): boolean {
  return isAdmissionPolicy(object) && describeLoss(object.metadata.name) !== undefined;
}

/** Returns the names of the operator's accounts, as the API server has them. */
function listOperatorUsers(leftOut: readonly LeftOut[]): ReadonlySet<string> {
  return new Set(
    leftOut.flatMap(({ object: { kind, metadata }, reason }) =>
      reason === 'operator' && kind === 'ServiceAccount'
        ? [`system:serviceaccount:${metadata.namespace}:${metadata.name}`]
        : [],
    ),
  );
}

/** @param others files that are copied, which may read marks as well */
function decideMarks(kept: readonly PlacedObject[], others: readonly ReadFile[]): MarkDecision[] {
  const readers = new Map<Mark, Set<string>>();
  const counts = new Map<Mark, number>();
  const addReader = (reader: string, content: unknown): void => {
    for (const mark of findReadMarks(content)) {
      readers.set(mark, (readers.get(mark) ?? new Set()).add(reader));
    }
  };
  for (const { object } of kept) {
    for (const mark of listMarks(object)) counts.set(mark, (counts.get(mark) ?? 0) + 1);
    const { labels: _labels, annotations: _annotations, ...metadata } = object.metadata;
    addReader(`${object.kind} ${object.metadata.name}`, { ...object, metadata });
  }
  for (const { path, text } of others) addReader(path, text);
  return marks.flatMap((mark) => {
    const objects = counts.get(mark) ?? 0;
    if (objects === 0) return [];
    return [{ mark, objects, readers: [...(readers.get(mark) ?? [])].toSorted() }];
  });
}

/** Removes what Argo CD's settings have for Tenantry's kinds. */
function removeCustomizations(object: KubeObject): KubeObject {
  const { kind, data } = object;
  if (kind !== 'ConfigMap' || object.metadata.name !== 'argocd-cm' || !isMapping(data)) {
    return object;
  }
  const before = Object.entries(data);
  const rest = before.filter(([key]) => !/\.tenantry\.dev_[A-Za-z]+$/.test(key));
  return rest.length === before.length ? object : { ...object, data: Object.fromEntries(rest) };
}

function listPolicies(files: readonly SortedFile[]): Ejection['policies'] {
  const names = files.flatMap(({ objects }) =>
    objects.filter(isPolicyOfTenantry).map(({ metadata }) => metadata.name),
  );
  return [...new Set(names)].toSorted().map((name) => ({ name, loss: describeLoss(name)! }));
}

/** Whether a file explains or configures the generated output itself, or is for the bundle of Tenantry's operator. */
function isAboutOutput({ path, text, isGenerated }: ReadFile): boolean {
  if (!isGenerated) return false;
  if (path === 'README.md' || path === '.gitattributes') return true;
  return path.startsWith('olm/') && /tenantry/.test(path + text);
}

/** A file without objects keeps its folder, which Argo CD syncs. */
const EMPTY = '# No objects. An Application syncs this folder, which must exist.\n';

function buildFile(
  file: SortedFile,
  rewrite: (object: KubeObject) => KubeObject,
): Ejection['files'] {
  const { path, kept, leftOut, objects } = file;
  if (isAboutOutput(file)) return [];
  if (leftOut.length > 0 && kept.length === 0) return [];
  const rewritten = kept.map(rewrite);
  const isSame = leftOut.length === 0 && rewritten.every((object, i) => object === objects[i]);
  const text = isSame ? file.text : emitYaml(rewritten, { canonical: true });
  return [{ path, text: text === '' && /\.ya?ml$/.test(path) ? EMPTY : text }];
}
