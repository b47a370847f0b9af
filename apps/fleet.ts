import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { Fleet } from '../model/fleet.ts';
import { useFleet } from '../constructs/tenant/scope.ts';
import type { App } from '../synth/app.ts';
import { readFleet } from './fleet-sources.ts';
import { readFleetInput, type FleetInput } from './fleet-input.ts';
import { renderArgoCDFiles } from '../model/argocd/platform/files.ts';
import { layout } from '../model/layout.ts';
import { listOwnKinds } from '../model/own-kinds.ts';
import { CustomResourceDefinition } from '@tenantry/crd/constructs';
import {
  TenantOperator,
  OperatorMonitoringObjects,
} from '../constructs/operator/tenant-operator.ts';
import { buildMonitoringObjects } from '../model/operator/monitoring/objects.ts';
import type { Platform } from '../model/declaration.ts';
import {
  TenantAdoption,
  TenantGuard,
  TenantAllowLists,
  TenantHardening,
  TenantReservedKeys,
  TenantPolicy,
} from '../constructs/tenant/admission-policies.ts';
import { CONCERNS, concernName } from '../model/ownership.ts';
import { setOutputPath } from '../synth/charts.ts';

/**
 * Fills an app with everything that a folder of tenants and a platform file declare. Tenants and
 * classes in TypeScript that are added to the app afterwards see the same platform and classes.
 *
 * The environment of the app names the folder, the file and the day for which is rendered
 * (`tenantry synth --tenants --platform --date`). The defaults are `tenants/`, `tenantry.yaml` and
 * the date of HEAD. Problems in them are reported when the app is
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

/**
 * The objects that every cluster of the platform holds besides tenants: the CRDs of Tenantry, the
 * operator and the admission policies. The policies are the guard, those for tenants' users, and
 * the hardening ones. If the platform names the Git source of Argo CD (`argocd.source`), they
 * include the projects, Applications and ApplicationSets that sync it.
 *
 * @example
 * ```ts
 * import { App, getFleet, PlatformObjects } from 'tenantry';
 *
 * const app = new App();
 * new PlatformObjects(app, 'platform', getFleet(app));
 * app.synth();
 * ```
 */
export class PlatformObjects extends Construct {
  constructor(scope: Construct, id: string, fleet: Fleet) {
    super(scope, id);
    const { platform } = fleet;
    for (const { name: cluster, kubernetesVersion } of platform.clusters) {
      const folder = new Construct(this, cluster);
      const chart = (chartId: string, path: string): Chart => {
        const made = new Chart(folder, chartId);
        setOutputPath(made, path);
        return made;
      };
      for (const definition of listOwnKinds(platform)) {
        const name = `${definition.plural}.${definition.group}`;
        new CustomResourceDefinition(chart(name, layout.crd(cluster, name)), 'crd', definition);
      }
      new TenantOperator(chart('operator', layout.operator(cluster)), 'operator', {
        fleet,
        cluster,
      });
      // A chart without objects would still write a file.
      if (Object.keys(buildMonitoringObjects(platform)).length > 0) {
        const monitoring = chart('monitoring', layout.monitoring(cluster));
        new OperatorMonitoringObjects(monitoring, 'monitoring', { platform });
      }
      new TenantGuard(chart('guard', layout.policy(cluster, 'tenant-guard')), 'guard', {
        platform,
      });
      const reservedKeys = chart('reserved-keys', layout.policy(cluster, 'tenant-reserved-keys'));
      new TenantReservedKeys(reservedKeys, 'policy', { platform, cluster });
      const adoption = chart('adoption', layout.policy(cluster, 'tenant-adoption'));
      new TenantAdoption(adoption, 'adoption', { platform });
      for (const concern of CONCERNS) {
        const name = `tenant-${concernName(concern)}`;
        new TenantPolicy(chart(name, layout.policy(cluster, name)), 'policy', {
          concern,
          platform,
        });
      }
      const hardening = chart('hardening', layout.policy(cluster, 'tenant-hardening'));
      new TenantHardening(hardening, 'hardening', omitUndefined({ kubernetesVersion }));
      const lists = chart('allow-lists', layout.policy(cluster, 'tenant-allow-lists'));
      new TenantAllowLists(lists, 'policies');
    }
    this.#addArgoCD(platform);
  }
  #addArgoCD(platform: Platform): void {
    for (const [path, objects] of renderArgoCDFiles(platform)) {
      const chart = new Chart(this, path.replaceAll('/', '.'));
      setOutputPath(chart, path);
      for (const object of objects) {
        new ApiObject(chart, `${object.kind}-${object.metadata.name}`, object);
      }
    }
  }
}
