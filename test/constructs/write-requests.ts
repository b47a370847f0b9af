import { listOperatorAccess } from '../../model/operator/access.ts';
import { buildWritePolicy } from '../../model/operator/write-policy.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { PlatformSpec } from '../../crds/platform.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import { refusalBy, type PolicySpec } from './policy-request.ts';

export const operatorNamespace = 'tenantry-system';

export interface WritePolicySpec extends Required<PolicySpec> {
  readonly failurePolicy: string;
}

/** Builds the policy for the operator's writes, where a class allows the ClusterRole `view`. */
export function writePolicy(
  spec: PlatformSpec = {},
  policy: DriftPolicy = 'Heal',
): WritePolicySpec {
  const clusterRoles = ['view'];
  const namespace = operatorNamespace;
  const access = listOperatorAccess(namespace, { policy, clusterRoles });
  const props = { platform: resolvePlatform(spec), namespace, access, clusterRoles };
  return buildWritePolicy(props)['write-policy']['spec'] as WritePolicySpec;
}

/** A write request of the operator. */
export interface Write {
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  /** `resource.group`, or a resource of the core group. */
  readonly what: string;
  readonly object?: object;
  readonly oldObject?: object;
  /** The namespace of the request. */
  readonly place?: string;
  /** Metadata of the namespace. @default - that of a namespace of tenant `pay` */
  readonly labels?: object;
  readonly name?: string;
  /** The ServiceAccount that sends the request. @default - the operator's */
  readonly user?: string;
}

/** Metadata with the label of a tenant. */
export const ofTenant = (tenant: string) => ({ labels: { 'tenantry.dev/tenant': tenant } });

/** Returns the message with which a policy refuses a write, or undefined. */
export function writeRefusal(policy: PolicySpec, write: Write): string | undefined {
  const {
    operation = 'CREATE',
    what,
    user = 'tenantry-operator',
    labels = ofTenant('pay'),
  } = write;
  const { object, oldObject = null, place, name } = write;
  const [resource, ...group] = what.split('.');
  return refusalBy(policy, {
    object: operation === 'DELETE' ? null : (object ?? null),
    oldObject,
    request: {
      operation,
      resource: { resource, group: group.join('.') },
      userInfo: { username: `system:serviceaccount:${operatorNamespace}:${user}` },
      ...(place !== undefined && { namespace: place }),
      ...(name !== undefined && { name }),
    },
    namespaceObject: place === undefined ? null : { metadata: { name: place, ...labels } },
  });
}
