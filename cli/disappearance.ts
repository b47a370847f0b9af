import { tenantFile } from '../constructs/layout.ts';
import type { Problem } from '../kube/problem.ts';
import type { TenantSpec } from '../crds/tenantry/tenant.ts';
import { isMapping } from '../kube/mapping.ts';
import { readDocuments } from '../kube/yaml/read.ts';
import { namespaceName } from '../constructs/tenant/resolve.ts';
import type { Base } from './base.ts';

/**
 * Tenants and namespaces that were in the base and are in the new output no more, though they were
 * not Retired first: with the file the namespace goes, and the data in it. One that is allowed by
 * name (`tenant` or `tenant/namespace`) is left out.
 */
export function disappearances(
  base: Base,
  files: readonly string[],
  allowed: readonly string[],
): Problem[] {
  const there = new Set(files);
  const problems: Problem[] = [];
  const told = new Set<string>();
  const specs = new Map<string, TenantSpec>();
  for (const path of base.files) {
    const file = tenantFile(path);
    if (!file || file.namespace === undefined || there.has(path)) continue;
    const { cluster, tenant, namespace } = file;
    const gone = !files.some((one) => tenantFile(one)?.tenant === tenant);
    const name = gone ? tenant : `${tenant}/${namespace}`;
    if (allowed.includes(tenant) || allowed.includes(`${tenant}/${namespace}`)) continue;
    const id = `${cluster}/${tenant}`;
    const spec = specs.get(id) ?? specOf(base, cluster, tenant);
    specs.set(id, spec);
    if (isRetired(spec, namespace) || told.has(name)) continue;
    told.add(name);
    const what = gone
      ? `tenant ${tenant}`
      : `namespace ${namespace} of tenant ${tenant} on ${cluster}`;
    problems.push({
      file: path,
      path: '',
      message: `${what} must be Retired before it disappears, got ${spec.lifecycle ?? 'Active'} in ${base.name}: set its lifecycle to Retired first, or allow it with --allow-removal ${name}`,
      rule: 'disappearance',
    });
  }
  return problems;
}

function specOf(base: Base, cluster: string, tenant: string): TenantSpec {
  const { documents } = readDocuments(
    base.read(`clusters/${cluster}/tenants/${tenant}/tenant.yaml`),
  );
  const value = documents[0]?.value;
  return isMapping(value) && isMapping(value['spec']) ? (value['spec'] as TenantSpec) : {};
}

function isRetired(spec: TenantSpec, namespace: string): boolean {
  const entry = spec.namespaces?.find(
    (one) => namespaceName(spec.namespacePrefix, one) === namespace,
  );
  return spec.lifecycle === 'Retired' || entry?.lifecycle === 'Retired';
}
