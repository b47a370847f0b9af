import type { Kind } from './kind.ts';

/** How many replicas an object has and is to have (autoscaling/v1, Scale). */
export interface Scale {
  readonly spec?: {
    /** As many as it should have. */
    readonly replicas?: number;
  };
  readonly status?: {
    /** As many as it has. */
    readonly replicas: number;
    /** The labels of its pods, as a selector in text. */
    readonly selector?: string;
  };
}

/**
 * The scales of the objects of a kind, which all kinds that can be scaled have alike.
 *
 * @example
 * ```ts
 * import { apps, scaleOf, type Client, type ObjectName } from 'tenantry/runtime';
 *
 * export async function stop(client: Client, name: ObjectName): Promise<void> {
 *   await client.patch(scaleOf(apps.Deployment), name, { spec: { replicas: 0 } });
 * }
 * ```
 */
export function scaleOf<Group extends string>({
  group,
  version,
  plural,
  scope,
}: Kind<object, Group>): Kind<Scale, Group, 'Scale'> {
  const part = { subresource: 'scale', apiVersion: 'autoscaling/v1' };
  return { group, version, kind: 'Scale', plural, scope, part };
}
