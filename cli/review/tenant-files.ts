import { valueAt } from '@tenantry/kube/mapping';
import { groupOf } from '@tenantry/kube/object';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { TENANT_GROUP } from '../../apps/plan/cluster-changes.ts';
import { tenant as tenantKind } from '../../crds/tenant.ts';
import { runGit } from '../git/git.ts';
import { listEntries, lsTree, readBlobs } from '../git/tree.ts';

/** Reads which of some files declared tenants in a commit. Returns the files by the name of the tenant. */
export function readTenantFiles(
  commit: string,
  files: readonly string[],
  root: string,
): ReadonlyMap<string, string> {
  const wanted = new Set(files.filter((path) => /\.(?:ya?ml|json)$/.test(path)));
  if (wanted.size === 0) return new Map();
  const entries = listEntries(lsTree(['-r', commit]), root, runGit).filter(
    ({ mode, path }) => mode.startsWith('100') && wanted.has(path),
  );
  const texts = readBlobs(
    entries.map(({ id }) => id),
    root,
    runGit,
  );
  return new Map(
    entries.flatMap(({ path }, i) => listTenants(texts[i]!).map((name) => [name, path] as const)),
  );
}

function listTenants(text: string): string[] {
  return readDocuments(text).documents.flatMap(({ value }) => {
    const [api, kind, name] = [['apiVersion'], ['kind'], ['metadata', 'name']].map((path) =>
      valueAt(value, path),
    );
    const isTenant =
      kind === tenantKind.kind && typeof api === 'string' && groupOf(api) === TENANT_GROUP;
    return isTenant && typeof name === 'string' ? [name] : [];
  });
}
