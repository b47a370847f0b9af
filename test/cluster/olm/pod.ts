import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Body } from '@tenantry/testing/controlplane/objects';

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly configMapKeyRef?: {
      readonly name: string;
      readonly key: string;
      readonly optional?: boolean;
    };
  };
}

/** Returns the variables of the container of a Deployment, as kubelet computes them. */
export async function variablesOf(
  { admin }: ClusterAccess,
  deployment: Body,
): Promise<Record<string, string>> {
  const { namespace, name: owner } = deployment.metadata!;
  const fields: Readonly<Record<string, string>> = {
    'metadata.namespace': namespace!,
    'metadata.name': `${owner}-0`,
  };
  const { template } = deployment.spec as {
    template: { spec: { containers: readonly [{ readonly env?: readonly Variable[] }] } };
  };
  const [{ env = [] }] = template.spec.containers;
  const found: Record<string, string> = {};
  for (const { name, value, valueFrom } of env) {
    if (valueFrom?.configMapKeyRef) {
      const { name: of, key, optional = false } = valueFrom.configMapKeyRef;
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: of, namespace };
      const { data } = (await admin.get(reference)).body as { data?: Record<string, string> };
      const text = data?.[key];
      if (text !== undefined) found[name] = text;
      else if (!optional) throw new Error(`${of} has no ${key}`);
    } else if (valueFrom?.fieldRef) {
      const text = fields[valueFrom.fieldRef.fieldPath];
      if (text === undefined) throw new Error(`the variable ${name} must have a known source`);
      found[name] = text;
    } else found[name] = value ?? '';
  }
  return found;
}
