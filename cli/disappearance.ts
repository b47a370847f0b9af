import { tenantFile } from '../constructs/layout.ts';
import type { Problem } from '../kube/problem.ts';
import { isMapping } from '../kube/mapping.ts';
import { readDocuments } from '../kube/yaml/read.ts';
import { namespaceName } from '../constructs/tenant/claim.ts';
import type { Base } from './base.ts';

/**
 * Tenants and namespaces that were in the base and are not in the new output, though they were not
 * Retired first: with the file go the namespace and the data in it. One that is allowed by name
 * (`tenant` or `tenant/namespace`) is left out.
 */
export function disappearances(
  base: Base,
  files: readonly string[],
  allowed: readonly string[],
): Problem[] {
  const there = new Set(files);
  const problems: Problem[] = [];
  const told = new Set<string>();
  const lives = new Map<string, Lives>();
  for (const path of base.files) {
    const file = tenantFile(path);
    if (!file || file.namespace === undefined || there.has(path)) continue;
    const { cluster, tenant, namespace } = file;
    const gone = !files.some((one) => tenantFile(one)?.tenant === tenant);
    const name = gone ? tenant : `${tenant}/${namespace}`;
    if (allowed.includes(tenant) || allowed.includes(`${tenant}/${namespace}`)) continue;
    const id = `${cluster}/${tenant}`;
    const life = lives.get(id) ?? livesIn(base, cluster, tenant);
    lives.set(id, life);
    if (isRetired(life, namespace) || told.has(name)) continue;
    told.add(name);
    const what = gone
      ? `tenant ${tenant}`
      : `namespace ${namespace} of tenant ${tenant} on ${cluster}`;
    problems.push({
      file: path,
      path: '',
      message: `${what} must be Retired before it disappears, got ${life.tenant} in ${base.name}: set its lifecycle to Retired first, or allow it with --allow-removal ${name}`,
      rule: 'disappearance',
    });
  }
  return problems;
}

/** Lifecycles as they were declared. */
interface Lives {
  readonly tenant: string;
  /** By the name of the namespace. */
  readonly namespaces: ReadonlyMap<string, string>;
}

/** Read field by field: another version, with another schema, may have rendered the base. */
function livesIn(base: Base, cluster: string, tenant: string): Lives {
  const { documents } = readDocuments(
    base.read(`clusters/${cluster}/tenants/${tenant}/tenant.yaml`),
  );
  const { lifecycle, namespacePrefix, namespaces } = fieldsOf(
    fieldsOf(documents[0]?.value)['spec'],
  );
  const prefix = textOf(namespacePrefix) ?? '';
  const entries = Array.isArray(namespaces) ? namespaces.map(fieldsOf) : [];
  return {
    tenant: textOf(lifecycle) ?? 'Active',
    namespaces: new Map(
      entries.map((entry) => {
        const name = namespaceName(prefix, { name: textOf(entry['name']) ?? '' });
        return [name, textOf(entry['lifecycle']) ?? 'Active'];
      }),
    ),
  };
}

const fieldsOf = (value: unknown): Record<string, unknown> => (isMapping(value) ? value : {});

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

function isRetired({ tenant, namespaces }: Lives, namespace: string): boolean {
  return tenant === 'Retired' || namespaces.get(namespace) === 'Retired';
}
