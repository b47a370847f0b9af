import { findCascadeRoot, type CascadeRoot } from '@tenantry/kube/cascade-root';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { formatFinding, errorAt, toProblem, type Finding } from '@tenantry/kube/finding';
import type { Problem } from '@tenantry/kube/problem';
import { NO_SKIP_MARKER, hasSkipMarker } from '@tenantry/kube/argocd-directives';
import { withGeneratedLine } from '../output/generated-line.ts';
import { artifactRefusal, isManifest, pathRefusal, CONSTRUCT_METADATA } from './file-name.ts';
import { emitYaml, type EmitOptions } from '@tenantry/kube/yaml/write';
import { validateDocumentMetadata, validateDocument } from '@tenantry/kube/document';
import { Lines, readDocuments } from '@tenantry/kube/yaml/read';
import { findAmbiguousYaml } from '@tenantry/kube/yaml/plain';
import { InvalidOutput } from '../output/errors.ts';

/** A holder with the cluster whose folder holds its file; empty if it is in no such folder. */
export interface PlacedHolder extends CascadeRoot {
  readonly cluster: string;
}

/**
 * Validates every file of an output, from any source. kubectl, Argo CD, kustomize and Flux read an
 * accepted file as the same objects, one per document, each declared once on its cluster. Neither
 * the content nor the name of a file makes one of them do anything else with it.
 */
export class ManifestValidator {
  readonly #identities = new Identities();
  readonly #clashes: string[] = [];
  readonly #problems: Problem[] = [];
  readonly #holders: PlacedHolder[] = [];
  #objects = 0;

  /** The number of accepted objects. */
  get objects(): number {
    return this.#objects;
  }

  /** The accepted objects whose deletion deletes others, in the order of acceptance. */
  get holders(): readonly PlacedHolder[] {
    return this.#holders;
  }

  /** The refusals, each with its owner: a construct path or a file. */
  get problems(): readonly Problem[] {
    const clashes = [...this.#identities.problems, ...this.#clashes];
    return [
      ...this.#problems,
      ...clashes.map((message) => ({ path: '', message, rule: 'identity' })),
    ];
  }

  /** Counts objects that an earlier run accepted and whose files are unchanged. */
  addReused({ objects, holders }: Pick<ManifestValidator, 'objects' | 'holders'>): void {
    this.#objects += objects;
    for (const holder of holders) this.#holders.push(holder);
  }

  /** Returns the text of a file of objects, with the line of a generated file; undefined if it is refused. */
  renderObjects(
    path: string,
    objects: readonly KubeObject[],
    ownerOf: (index: number) => string,
    { origin, ...options }: EmitOptions & { readonly origin?: string | undefined } = {},
  ): string | undefined {
    const cluster = parseCluster(path);
    this.#checkName(path, ownerOf(0));
    const refused = this.#problems.length;
    objects.forEach((object, i) => this.#admit(cluster, object, ownerOf(i)));
    if (this.#problems.length > refused) return undefined;
    const text = withGeneratedLine(path, emitYaml(objects, options), origin);
    if (hasSkipMarker(text)) {
      const first = objects.findIndex((object) => hasSkipMarker(emitYaml([object], options)));
      this.#steering(ownerOf(Math.max(first, 0)));
    }
    return text;
  }

  /**
   * Validates a file that is already text. For YAML it validates the objects, for other text only the name.
   * @returns the text with the line of a generated file; undefined if it is refused
   */
  validateText(path: string, text: string, owner: string, origin?: string): string | undefined {
    const refused = this.#problems.length;
    this.#checkName(path, owner);
    if (isManifest(path)) this.#takeObjects(path, text, owner);
    else if (hasSkipMarker(text)) this.#steering(owner);
    if (this.#problems.length > refused) return undefined;
    return path === CONSTRUCT_METADATA ? text : withGeneratedLine(path, text, origin);
  }

  /**
   * Accepts or refuses a file outside of the folders of clusters.
   * @returns the text with the line of a generated file; undefined if its name is refused
   */
  admitArtifact(path: string, text: string, owner: string): string | undefined {
    const refused = artifactRefusal(path);
    this.#refuseName(refused, owner);
    return refused === undefined ? withGeneratedLine(path, text) : undefined;
  }

  /** Outside of clusters/, files of a stock app may be for any number of clusters. */
  #takeObjects(path: string, text: string, owner: string): void {
    const { objects, problems } = parseManifests(path, text);
    this.#problems.push(...problems);
    const cluster = parseCluster(path);
    const identities = cluster === '' ? new Identities() : this.#identities;
    for (const { object, line } of objects) {
      this.#count(cluster, object);
      identities.add(cluster, object, `${owner}:${line}`);
    }
    if (identities !== this.#identities) this.#clashes.push(...identities.problems);
  }

  #admit(cluster: string, object: KubeObject, owner: string): void {
    const refusal = validateObject(object);
    if (refusal === undefined) {
      this.#count(cluster, object);
      this.#identities.add(cluster, object, owner);
    } else {
      const message = `[${owner}] ${formatFinding(refusal)}`;
      this.#problems.push({ path: '', message, rule: 'document' });
    }
  }

  #count(cluster: string, object: KubeObject): void {
    this.#objects += 1;
    const holder = findCascadeRoot(object);
    if (holder) this.#holders.push({ cluster, ...holder });
  }

  #checkName(path: string, owner: string): void {
    this.#refuseName(pathRefusal(path), owner);
  }

  #refuseName(refused: string | undefined, owner: string): void {
    if (refused === undefined) return;
    this.#problems.push({ path: '', message: `[${owner}] the file ${refused}`, rule: 'file-name' });
  }

  #steering(owner: string): void {
    const message = `[${owner}] ${NO_SKIP_MARKER}`;
    this.#problems.push({ path: '', message, rule: 'steering-text' });
  }
}

/** An object of a text, and its line. */
interface WrittenObject {
  readonly object: KubeObject;
  readonly line: number;
}

/**
 * Reads the objects of a text from a stock cdk8s app or a Source. Content that readers could
 * interpret differently is a problem with its place. So are comments that instruct tools to change
 * a file, and comments without an object.
 */
function parseManifests(
  file: string,
  text: string,
): { objects: readonly WrittenObject[]; problems: readonly Problem[] } {
  const { documents, problems: broken } = readDocuments(text);
  const problems = broken.map(({ message, ...position }) =>
    toProblem(errorAt([], message, 'yaml'), { file, ...position }),
  );
  const lines = new Lines(text);
  const at = (offset: number, message: string, rule: string): void => {
    problems.push(toProblem(errorAt([], message, rule), { file, ...lines.findPosition(offset) }));
  };
  if (problems.length === 0) checkText(text, at);
  const objects: WrittenObject[] = [];
  for (const document of documents) {
    const refusal = validateObject(document.value);
    if (refusal) {
      problems.push(toProblem(refusal, { file, ...document.positionAt(refusal.path) }));
    } else {
      const { line } = document.positionAt([]);
      objects.push({ object: document.value as KubeObject, line });
    }
  }
  return { objects, problems };
}

/** Returns the reason why a value is not the same single object to every reader. */
export function validateObject(value: unknown): Finding | undefined {
  return validateDocument(value) ?? validateDocumentMetadata((value as KubeObject).metadata);
}

type Report = (offset: number, message: string, rule: string) => void;

function checkText(text: string, report: Report): void {
  const marker = text.split('\n').findIndex(hasSkipMarker);
  if (marker >= 0) {
    const before = text.split('\n', marker).join('\n');
    report(marker === 0 ? 0 : before.length + 1, NO_SKIP_MARKER, 'steering-text');
    return;
  }
  const found = findAmbiguousYaml(text);
  if (found) report(found.offset, found.message, 'document');
}

/** The cluster that a file belongs to: `clusters/<cluster>/...`, and '' for every other path. */
export function parseCluster(path: string): string {
  const [folder, cluster, ...rest] = path.split('/', 3);
  return folder === 'clusters' && rest.length > 0 ? cluster! : '';
}

/**
 * Ensures that an object is declared once: (cluster, group, kind, namespace, name) is unique in an
 * output. The version does not matter: apps/v1 and apps/v1beta1 of a Deployment are the same object
 * for the API server. An object without a namespace differs from one in the namespace `default`,
 * since a manifest does not show whether its kind is namespaced.
 *
 * Problems are collected, each with the owners: construct paths, or files.
 */
export class Identities {
  /**
   * The first owner by cluster, group, kind, then `namespace/name`. Only the last key is built as a
   * string.
   */
  readonly #owners = new Map<string, Map<string, Map<string, Map<string, string>>>>();
  readonly #problems: string[] = [];

  /** @param object an object that `validateDocument` accepts */
  add(cluster: string, { apiVersion, kind, metadata }: KubeObject, owner: string): void {
    const group = groupOf(apiVersion);
    const { namespace, name } = metadata;
    const owners = child(child(child(this.#owners, cluster), group), kind);
    const key = namespace ? `${namespace}/${name}` : name;
    const known = owners.get(key);
    if (known === undefined) owners.set(key, owner);
    else this.#problems.push(clash({ cluster, group, kind, key }, known, owner));
  }

  get problems(): string[] {
    return [...this.#problems];
  }

  /** Throws InvalidOutput when there is a problem. */
  check(): void {
    if (this.#problems.length > 0) throw new InvalidOutput(this.#problems);
  }
}

/** Returns the map under a key, and creates it if it is missing. */
function child<K, V>(map: Map<string, Map<K, V>>, key: string): Map<K, V> {
  let inner = map.get(key);
  if (inner === undefined) map.set(key, (inner = new Map()));
  return inner;
}

function clash(
  { cluster, group, kind, key }: { cluster: string; group: string; kind: string; key: string },
  first: string,
  second: string,
): string {
  const full = group === '' ? kind : `${kind}.${group}`;
  const where = cluster === '' ? '' : ` of cluster ${cluster}`;
  const who = first === second ? `twice by [${first}]` : `by [${first}] and by [${second}]`;
  return `${full} ${key}${where} must be declared once, got it ${who}`;
}
