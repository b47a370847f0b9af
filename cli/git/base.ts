import type { Problem } from '@tenantry/kube/problem';
import type { Summary } from '../../synth/report.ts';
import { findCascadeRoot } from '@tenantry/kube/cascade-root';
import type { KubeObject } from '@tenantry/kube/object';
import { mayContainWord, readDocuments } from '@tenantry/kube/yaml/read';
import { parseCluster } from '../../synth/manifests/manifests.ts';
import { validateObject, type PlacedHolder } from '../../synth/manifests/manifests.ts';

/** An earlier output, from which nothing may disappear. */
export interface Base {
  /** The name for messages: `HEAD`. */
  readonly name: string;
  /** All files that Tenantry wrote, sorted; every file if the base has no record of them. */
  readonly files: readonly string[];
  /** The files that may hold objects which a new output lacks. All other files are unchanged in it. */
  changed(summary: Summary): string[];
  /** @param later the texts of a later output. A file that has the same one in the base is not read again */
  read(
    paths: readonly string[],
    later?: ReadonlyMap<string, string>,
  ): Iterable<readonly [path: string, text: string]>;
}

/** Returns the warning that removals are not checked. */
export function buildUncheckedWarning(why: string): Problem {
  const message = `what disappears was not looked for: ${why}`;
  return { path: '', message, rule: 'base' };
}

/** A Namespace or Tenant of an earlier output. */
export interface FoundHolder extends PlacedHolder {
  readonly path: string;
  readonly object: KubeObject;
}

const DOCUMENTS = /^---(?=\s|$)/m;
/** A line of YAML without content. */
const EMPTY = /^\s*(?:#|$)/;

/**
 * Reads the Namespaces and Tenants in files of a base, in order. It also returns the files that
 * hold no readable objects, such as Git LFS pointers.
 */
export function readHolders(
  base: Base,
  paths: readonly string[],
): { readonly holders: readonly FoundHolder[]; readonly unread: readonly string[] } {
  const holders: FoundHolder[] = [];
  const unread: string[] = [];
  const manifests = paths.filter((path) => /\.(?:ya?ml|json)$/.test(path));
  for (const [path, text] of base.read(manifests)) {
    let isRead = /\bkind\b/.test(text) || text.split('\n').every((line) => EMPTY.test(line));
    for (const part of text.split(DOCUMENTS).filter(mayHold)) {
      const { documents, problems } = readDocuments(part);
      if (problems.length > 0) isRead = false;
      for (const { value } of documents) {
        if (validateObject(value) !== undefined) continue;
        const object = value as KubeObject;
        const holder = findCascadeRoot(object);
        if (holder) holders.push({ ...holder, cluster: parseCluster(path), path, object });
      }
    }
    if (!isRead) unread.push(path);
  }
  return { holders, unread };
}

/** Whether a document may be a Namespace or a Tenant. Parsing all documents would be slow. */
function mayHold(part: string): boolean {
  return mayContainWord(part, 'Namespace') || mayContainWord(part, 'Tenant');
}
