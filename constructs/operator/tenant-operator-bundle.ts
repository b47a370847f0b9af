import type { Construct } from 'constructs';
import { errorAt, type Finding } from '@tenantry/kube/finding';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { listOperatorAccess } from '../../model/operator/access.ts';
import { findHooks } from '../../model/operator/hooks.ts';
import {
  CLUSTER_KEY,
  buildPlatformConfigMap,
  renderPlatform,
} from '../../model/operator/platform-config-map.ts';
import { bundledOperatorSpec } from '../../model/operator/tenant-operator-spec.ts';
import { addTenantryLabels } from '../../model/ownership.ts';
import type { Platform } from '../../model/declaration.ts';
import type { Fleet } from '../../model/fleet.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { addErrorValidation } from '@tenantry/crd/constructs/error-validation';
import { addArtifacts, Bundle } from '@tenantry/olm/constructs/bundle';
import type { BundleProps } from '@tenantry/olm/constructs/bundle/props';

/** The platform of the tenant operator, and the properties of its bundle. */
export interface TenantOperatorBundleProps extends Partial<Omit<BundleProps, 'operator'>> {
  /** @default - the fleet's, or resolvePlatform() */
  readonly platform?: Platform;
  /** The fleet whose platform it is. @default - none */
  readonly fleet?: Pick<Fleet, 'platform'>;
  /** The version of the image, in semver. */
  readonly version: string;
  /** @default - `operator.image` of the platform */
  readonly image?: string;
}

/**
 * The tenant operator of a platform as OLM installs it, on any of its clusters. It only observes. A
 * ValidatingAdmissionPolicy must bound what it would write under `Create` and `Heal` and for hooks.
 * No bundle can contain one, so such a platform is refused.
 *
 * The Platform is not in the bundle, because each cluster needs its own name with it. Beside the
 * bundle's files, `olm/platform/<cluster>.yaml` contains the ConfigMap that must be in the
 * namespace of the Subscription. Without it the pods wait.
 *
 * The namespace is `operator.namespace` of the platform, whose policies identify the operator by
 * it.
 *
 * @example
 * ```ts
 * import { App, declareFleet, TenantOperatorBundle } from 'tenantry';
 *
 * const app = new App();
 * const fleet = declareFleet(app);
 * const bundle = new TenantOperatorBundle(app, 'operator-bundle', {
 *   fleet,
 *   version: '0.1.0',
 *   image: 'registry.example.com/platform/tenantry:0.1.0',
 *   provider: { name: 'Example' },
 *   maintainers: [{ name: 'Platform', email: 'platform@example.com' }],
 * });
 * app.synth();
 * console.log(bundle.bundleName); // tenantry-operator.v0.1.0
 * ```
 */
export class TenantOperatorBundle extends Bundle {
  constructor(scope: Construct, id: string, props: TenantOperatorBundleProps) {
    const { fleet, platform = fleet?.platform ?? resolvePlatform(), ...bundleProps } = props;
    super(scope, id, buildBundleProps(platform, bundleProps));
    const findings = validateObserveOnly(platform);
    addErrorValidation(this, TenantOperatorBundle, () => findings);
    addArtifacts(this, () => renderPlatformFiles(platform));
  }
}

function buildBundleProps(
  platform: Platform,
  { image, version, ...bundleProps }: Omit<TenantOperatorBundleProps, 'fleet' | 'platform'>,
): BundleProps {
  const { operatorNamespace: namespace, comparedKinds, declared } = platform;
  const access = listOperatorAccess(namespace, {
    policy: 'Observe',
    clusterRoles: [],
    comparedKinds,
  });
  return {
    ...bundleDefaults,
    ...bundleProps,
    operator: bundledOperatorSpec(platform, {
      image: image ?? declared.operator?.image ?? '',
      version,
      access,
    }),
  };
}

const bundleDefaults = {
  displayName: 'Tenantry',
  description: `Says of each tenant whether the cluster is as it was declared, and how it differs.

Namespaces, quotas, network policies and rights of tenants are rendered to Git and applied by Argo CD; this operator
compares them with what is there, and writes the status of Tenants, Events and metrics. It changes nothing of a tenant.

It needs a ConfigMap \`tenantry-platform\` in its namespace, with the Platform as \`platform.yaml\` and the name of the
cluster as \`cluster\`.`,
  channels: ['candidate'],
  minKubeVersion: '1.30.0',
  capabilities: 'Basic Install',
  categories: ['Security'],
  keywords: ['tenants', 'namespaces', 'gitops'],
} as const satisfies Partial<BundleProps>;

const RULE = 'bundle-operator';

/**
 * Refuses a platform that makes the operator write: no bundle can contain the policy that bounds
 * what it writes.
 */
function validateObserveOnly(platform: Platform): readonly Finding[] {
  const findings: Finding[] = [];
  const instead =
    'a bundle holds no ValidatingAdmissionPolicy that bounds it; use clusters/<cluster>/operator/';
  if (platform.driftPolicy !== 'Observe') {
    const path = ['platform', 'operator', 'driftPolicy'];
    findings.push(
      errorAt(
        path,
        `must be 'Observe' in a bundle, got '${platform.driftPolicy}': ${instead}`,
        RULE,
      ),
    );
  }
  if (platform.clusters.some(({ name }) => findHooks(platform, name).length > 0)) {
    const path = ['platform', 'operator', 'hooks'];
    findings.push(errorAt(path, `must be left out for a bundle: ${instead}`, RULE));
  }
  return findings;
}

/** Renders the ConfigMap of each cluster: the Platform and the name of the cluster. */
function renderPlatformFiles(
  platform: Platform,
): { readonly path: string; readonly text: string }[] {
  const text = renderPlatform(platform);
  return platform.clusters.map(({ name }) => {
    const { data, ...rest } = buildPlatformConfigMap(text, platform.operatorNamespace);
    const object = { ...rest, data: { [CLUSTER_KEY]: name, ...(data as object) } };
    return { path: `olm/platform/${name}.yaml`, text: emitYaml([addTenantryLabels(object)]) };
  });
}
