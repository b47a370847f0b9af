/** The folder of the output that holds everything of every cluster. */
export const CLUSTERS = 'clusters';

/**
 * Where things lie in the output: one folder a cluster, in it folders whose names sort in the order
 * in which they have to be applied. Adding a cluster, a tenant or a namespace moves no file.
 */
export const layout = {
  crd: (cluster: string, name: string) => `clusters/${cluster}/crds/${name}.yaml`,
  operator: (cluster: string) => `clusters/${cluster}/operator/operator.yaml`,
  policy: (cluster: string, name: string) => `clusters/${cluster}/policies/${name}.yaml`,
  tenantClass: (cluster: string, name: string) => `clusters/${cluster}/tenantclasses/${name}.yaml`,
  tenant: (cluster: string, tenant: string) => `clusters/${cluster}/tenants/${tenant}/tenant.yaml`,
  namespace: (cluster: string, tenant: string, namespace: string) =>
    `clusters/${cluster}/tenants/${tenant}/namespace-${namespace}.yaml`,
} as const;

const TENANT_FILE = /^clusters\/([^/]+)\/tenants\/([^/]+)\/(?:namespace-([^/]+)|tenant)\.yaml$/;

/** What a file of the output is about, or undefined when it is no tenant's. */
export function tenantFile(
  path: string,
): { cluster: string; tenant: string; namespace?: string } | undefined {
  const match = TENANT_FILE.exec(path);
  if (!match) return undefined;
  const [, cluster, tenant, namespace] = match as unknown as [string, string, string, string?];
  return { cluster, tenant, ...(namespace !== undefined && { namespace }) };
}

/**
 * The type of construct metadata that says into which file a chart goes; stock cdk8s ignores it and
 * names the file after the chart.
 */
export const OUTPUT_PATH = 'tenantry:output-path';
