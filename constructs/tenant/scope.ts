import type { Construct, IConstruct } from 'constructs';
import { Fleet } from '../../model/fleet.ts';

const fleets = new WeakMap<IConstruct, Fleet>();

/**
 * Returns the fleet of a construct tree: the one set by `useFleet`, or one with the platform of an empty tenantry.yaml.
 *
 * @example
 * ```ts
 * import { App, getFleet } from 'tenantry';
 *
 * const { platform } = getFleet(new App());
 * console.log(platform.defaultClass); // default
 * ```
 */
export function getFleet(scope: IConstruct): Fleet {
  const { root } = scope.node;
  let fleet = fleets.get(root);
  if (!fleet) fleets.set(root, (fleet = new Fleet()));
  return fleet;
}

/**
 * Sets the platform and classes of a construct tree. Call it before the first tenant is created.
 *
 * @example
 * ```ts
 * import { App, Fleet, resolvePlatform, Tenant, useFleet } from 'tenantry';
 *
 * const app = new App();
 * useFleet(app, new Fleet(resolvePlatform({ clusters: [{ name: 'eu1' }] })));
 * const payments = new Tenant(app, 'payments');
 * console.log(payments.namespaces.map(({ cluster }) => cluster)); // [ 'eu1' ]
 * ```
 *
 * @throws {Error} when the tree has a fleet already
 */
export function useFleet(scope: Construct, fleet: Fleet): void {
  const { root } = scope.node;
  if (fleets.has(root)) throw new Error('the fleet must be given before the first tenant or class');
  fleets.set(root, fleet);
}
