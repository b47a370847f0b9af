import { statSync } from 'node:fs';
import type { Problem } from '../kube/problem.ts';
import { Fleet } from '../constructs/tenant/fleet.ts';
import { useFleet } from '../constructs/tenant/tree/scope.ts';
import type { App } from '../synth/app.ts';
import { exceptionsOf } from './exceptions.ts';
import { defaultInput, inputOf, type FleetInput } from './fleet-input.ts';
import { PlatformObjects, tenantClassFiles } from './platform.ts';
import { readPlatform } from './platform-file.ts';
import { readme } from './readme.ts';
import { TenantFiles } from './tenants.ts';

/**
 * Fills an app with everything that a folder of tenants and a platform file declare. Tenants and
 * classes in TypeScript that are added to the app afterwards see the same platform and classes.
 *
 * The app's environment says which folder and file (`tenantry synth --tenants --platform`); without
 * one they are `tenants/` and `tenantry.yaml`. What is wrong with them is reported when the app is
 * synthesized, together with everything else.
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
export function declareFleet(app: App, input: FleetInput = inputOf()): Fleet {
  if (declared.has(app)) {
    const instead = 'put the declarations into one folder, and the others into apps of their own';
    throw new Error(`declareFleet must be called once for an app, got a second call: ${instead}`);
  }
  declared.add(app);
  const { platform, problems, place } = readPlatform(
    input.platform,
    input.platform !== defaultInput.platform,
  );
  const fleet = new Fleet(platform);
  useFleet(app, fleet);
  if (problems.length > 0) app.addSource(problemsOf(problems));
  const folder = statSync(input.tenants, { throwIfNoEntry: false });
  if (folder?.isDirectory()) {
    const schemaOnly = problems.length > 0;
    const files = new TenantFiles(fleet, input.tenants, {
      schemaOnly,
      input,
      ...(app.memory && { inputs: app.memory.inputs }),
      ...(place && { place }),
    });
    app.addSource(files);
    app.addSource(exceptionsOf(fleet, files));
  } else {
    const got = folder ? 'a file' : 'nothing';
    const message = `must be a folder of tenants, got ${got}: create it, or name another with --tenants`;
    app.addSource(problemsOf([{ file: input.tenants, path: '', message, rule: 'file' }]));
  }
  new PlatformObjects(app, 'platform', fleet);
  app.addSource(tenantClassFiles(fleet));
  app.addSource(readme);
  return fleet;
}

const declared = new WeakSet<App>();

function problemsOf(problems: readonly Problem[]) {
  return {
    synthesize(sink: { problem(problem: Problem): void }): void {
      for (const problem of problems) sink.problem(problem);
    },
  };
}
