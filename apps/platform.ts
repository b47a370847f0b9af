import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { renderArgoCDFiles } from '../constructs/argocd/platform/files.ts';
import { layout } from '../constructs/layout.ts';
import { tenant } from '../crds/tenantry/tenant.ts';
import { tenantClass } from '../crds/tenantry/tenant-class.ts';
import { CustomResourceDefinition } from '../constructs/crd.ts';
import {
  TenantOperator,
  OperatorMonitoringObjects,
} from '../constructs/operator/tenant-operator.ts';
import { buildMonitoringObjects } from '../constructs/operator/monitoring/objects.ts';
import type { Platform } from '../constructs/tenant/declaration.ts';
import type { Fleet } from '../constructs/tenant/fleet.ts';
import {
  TenantAdoption,
  TenantGuard,
  TenantHardening,
  TenantReservedKeys,
  TenantPolicy,
} from '../constructs/tenant/tree/admission-policies.ts';
import { CONCERNS, concernName } from '../constructs/tenant/ownership.ts';
import { setOutputPath } from '../synth/charts.ts';

/**
 * The objects that every cluster of the platform holds besides tenants: the CRDs of Tenantry, the
 * operator and the admission policies. The policies are the guard, those for tenants' users, and
 * the hardening ones. If the platform names the Git source of Argo CD (`argocd.source`), they
 * include the projects, Applications and ApplicationSets that sync it.
 *
 * @example
 * ```ts
 * import { App, fleetOf, PlatformObjects } from 'tenantry';
 *
 * const app = new App();
 * new PlatformObjects(app, 'platform', fleetOf(app));
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
      for (const definition of [tenant, tenantClass]) {
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
      new TenantHardening(hardening, 'hardening', {
        ...(kubernetesVersion && { kubernetesVersion }),
      });
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
