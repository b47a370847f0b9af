import type { Kind } from './kind.ts';

/** The desired and the actual number of an object's replicas (autoscaling/v1, Scale). */
export interface Scale {
  readonly spec?: {
    /** The desired number. */
    readonly replicas?: number;
  };
  readonly status?: {
    /** The actual number. */
    readonly replicas: number;
    /** The labels of its pods, as a selector in text. */
    readonly selector?: string;
  };
}

/**
 * Returns the kind of the scales of a kind's objects. All scalable kinds have the same one.
 *
 * @example
 * ```ts
 * import { apps, scaleOf, type Client, type ObjectName } from '@tenantry/runtime';
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
