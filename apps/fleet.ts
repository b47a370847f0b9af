import type { Fleet } from '../constructs/tenant/fleet.ts';
import { useFleet } from '../constructs/tenant/tree/scope.ts';
import type { App } from '../synth/app.ts';
import { readFleet } from './fleet-sources.ts';
import { readFleetInput, type FleetInput } from './fleet-input.ts';
import { PlatformObjects } from './platform.ts';

/**
 * Fills an app with everything that a folder of tenants and a platform file declare. Tenants and
 * classes in TypeScript that are added to the app afterwards see the same platform and classes.
 *
 * The environment of the app names the folder and the file (`tenantry synth --tenants --platform`).
 * The defaults are `tenants/` and `tenantry.yaml`. Problems in them are reported when the app is
 * synthesized, together with all others.
 *
 * @example
 * ```ts
 * import { App, declareFleet, Tenant } from 'tenantry';
 *
 * const app = new App();
 * const fleet = declareFleet(app); // tenants/ and tenantry.yaml
 * console.log(fleet.platform.clusters.map(({ name }) => name)); // [ 'in-cluster' ]
 * new Tenant(app, 'payments', { className: fleet.platform.defaultClass });
 * app.synth();
 * ```
 *
 * @throws {Error} when the app has a fleet already
 */
export function declareFleet(app: App, input: FleetInput = readFleetInput()): Fleet {
  if (declared.has(app)) {
    const instead = 'put the declarations into one folder, and the others into apps of their own';
    throw new Error(`declareFleet must be called once for an app, got a second call: ${instead}`);
  }
  declared.add(app);
  const { fleet, sources } = readFleet(input, app.memory?.inputs);
  useFleet(app, fleet);
  for (const source of sources) app.addSource(source);
  new PlatformObjects(app, 'platform', fleet);
  return fleet;
}

const declared = new WeakSet<App>();
