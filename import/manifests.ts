import { builtinScope } from '@tenantry/kube/builtin-kinds';
import { validateDocument, validateDocumentMetadata } from '@tenantry/kube/document';
import { isMapping } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { formatFinding, type Finding } from '@tenantry/kube/finding';
import { show, type Problem } from '@tenantry/kube/problem';
import { readDocuments, type YamlDocument } from '@tenantry/kube/yaml/read';
import { emitYaml } from '@tenantry/kube/yaml/write';
import type { MadeReason } from './made-objects.ts';
import type { ObjectManager } from './object-managers.ts';

/** A text of manifests, and where it is from. */
export interface ManifestFile {
  /** As messages name it. */
  readonly file: string;
  readonly text: string;
}

/** An object of the source, and its place. */
export interface FoundObject {
  readonly object: KubeObject;
  /** Absent, with its line, for an object of a cluster. */
  readonly file?: string;
  readonly line?: number;
  /** The YAML of the object as it is written, with its comments; absent if there is none. */
  readonly text?: string;
  /** What a cluster reveals about the object; absent for a manifest. */
  readonly live?: LiveFacts;
}

/** What a cluster reveals about an object besides its content. */
export interface LiveFacts {
  /** Set if a controller makes the object. */
  readonly made?: MadeReason;
  /** The tool or program that manages the object; absent if people do. */
  readonly manager?: ObjectManager;
  /** Set for a Namespace that is being deleted. */
  readonly isTerminating?: true;
  /**
   * What the object has besides. The uid, the version, times, field managers and the status, which every object has, are
   * not included.
   */
  readonly dropped?: readonly DroppedPart[];
  /** Why the object cannot be read; its content is then incomplete. */
  readonly fault?: string;
}

/** A part of a live object that nobody declares, and who writes it. */
export interface DroppedPart {
  /** `annotation argocd.argoproj.io/tracking-id`. */
  readonly what: string;
  /** `Argo CD`. */
  readonly writer: string;
}

/** Returns the YAML of an object, with its comments if it has some. */
export function formatManifest({ object, text }: FoundObject): string {
  return text ?? emitYaml([object]);
}

/** A document that is no object of a cluster, such as a kustomization. */
export interface OtherDocument {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
  /** Whether it is meant to be an object, which an API server would refuse. */
  readonly isObject: boolean;
}

export interface ReadManifests {
  readonly objects: readonly FoundObject[];
  readonly others: readonly OtherDocument[];
  /** Errors of the texts. With any, the objects are incomplete. */
  readonly problems: readonly Problem[];
}

/** The maximum number of objects: ten times those of the largest fleet that Tenantry is measured with. */
const MAX_OBJECTS = 1_000_000;

/**
 * Reads manifests as kubectl does. Items of Lists are objects like any other. Reports the problems of all texts
 * together.
 */
export function readManifests(files: Iterable<ManifestFile>): ReadManifests {
  const objects: FoundObject[] = [];
  const others: OtherDocument[] = [];
  const problems: Problem[] = [];
  for (const { file, text } of files) {
    const read = readDocuments(text);
    for (const { message, ...position } of read.problems) {
      problems.push({ file, ...position, path: '', message, rule: 'yaml' });
    }
    for (const document of read.documents) addDocument(document, file, objects, others);
    if (objects.length > MAX_OBJECTS) {
      const message = `must be at most ${MAX_OBJECTS} objects in all, got more`;
      return {
        objects,
        others,
        problems: [...problems, { file, path: '', message, rule: 'size' }],
      };
    }
  }
  return { objects, others, problems };
}

function addDocument(
  document: YamlDocument,
  file: string,
  objects: FoundObject[],
  others: OtherDocument[],
): void {
  const { value } = document;
  const { line } = document.positionAt([]);
  if (isMapping(value) && isList(value)) {
    (value['items'] as readonly unknown[]).forEach((item, i) => {
      const at = document.positionAt(['items', i]).line;
      const fault = findFault(item);
      if (fault) others.push({ file, line: at, reason: formatFinding(fault), isObject: true });
      else {
        const object = dropNullMetadata(item as KubeObject);
        objects.push({ object, file, line: at });
      }
    });
    return;
  }
  const reason = findOtherReason(value);
  if (reason !== undefined) {
    const isObject = isMapping(value) && 'kind' in value && findReader(value) === undefined;
    others.push({ file, line, reason, isObject });
    return;
  }
  const object = dropNullMetadata(value as KubeObject);
  const isAsWritten = object === value;
  objects.push({
    object,
    file,
    line,
    ...(isAsWritten && { text: `${document.text.trimEnd()}\n` }),
  });
}

/** A null field of metadata is an absent one. */
function dropNullMetadata(object: KubeObject): KubeObject {
  const entries = Object.entries(object.metadata as Record<string, unknown>);
  if (entries.every(([, value]) => value !== null)) return object;
  const metadata = Object.fromEntries(entries.filter(([, value]) => value !== null));
  return { ...object, metadata: metadata as KubeObject['metadata'] };
}

function isList(value: Record<string, unknown>): boolean {
  const { kind, items } = value;
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items);
}

/** The API groups of files for other programs, which are often in the folders of manifests. */
const forOthers: ReadonlyMap<string, string> = new Map([
  ['kustomize.config.k8s.io', 'kustomize reads it: import the output of `kustomize build`'],
  ['kind.x-k8s.io', 'it configures kind'],
  ['kubeadm.k8s.io', 'it configures kubeadm'],
  ['tenantry.dev', 'it is a declaration of Tenantry'],
]);

function findReader({ apiVersion }: Record<string, unknown>): string | undefined {
  return typeof apiVersion === 'string' ? forOthers.get(groupOf(apiVersion)) : undefined;
}

/** Returns why a document is no object of a cluster; undefined if it is one. */
function findOtherReason(value: unknown): string | undefined {
  if (!isMapping(value)) return `it must be a Kubernetes object, got ${show(value)}`;
  const { apiVersion, kind } = value;
  const foreign = findReader(value);
  if (foreign !== undefined) return foreign;
  if (apiVersion === undefined && kind === undefined) return 'it has no apiVersion and no kind';
  const fault = findFault(value);
  return fault && formatFinding(fault);
}

function findFault(value: unknown): Finding | undefined {
  return (
    validateDocument(value) ??
    validateDocumentMetadata((value as Record<string, Record<string, unknown>>)['metadata']!)
  );
}

/** Whether the objects of a kind lie in namespaces: as Kubernetes knows it, by a definition, or by the object. */
export function isNamespaced(
  { object, live }: FoundObject,
  definedScopes: ReadonlyMap<string, string>,
): boolean {
  const { apiVersion, kind, metadata } = object;
  if (live) return metadata.namespace !== undefined;
  const group = groupOf(apiVersion);
  const scope = builtinScope(group, kind) ?? definedScopes.get(`${group}/${kind}`);
  if (scope !== undefined) return scope === 'Namespaced';
  // By convention, kinds such as ClusterIssuer say so in their name.
  return metadata.namespace !== undefined || !kind.startsWith('Cluster');
}

/** Returns the scopes of the kinds that CustomResourceDefinitions among the objects define, by `group/Kind`. */
export function findDefinedScopes(found: readonly FoundObject[]): ReadonlyMap<string, string> {
  const scopes = new Map<string, string>();
  for (const { object } of found) {
    if (object.kind !== 'CustomResourceDefinition' || !isMapping(object['spec'])) continue;
    const { group, names, scope } = object['spec'];
    if (!isMapping(names) || typeof scope !== 'string') continue;
    scopes.set(`${String(group)}/${String(names['kind'])}`, scope);
  }
  return scopes;
}
