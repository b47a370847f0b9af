import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { formatFinding, prefixFinding, type Finding } from '@tenantry/kube/finding';
import type { KubeObject } from '@tenantry/kube/object';
import { WARNING } from '@tenantry/kube/construct-metadata';
import type { BundleFinding } from '../bundle/bundle.ts';
import {
  buildExtensionObjects,
  type ExtensionInstall,
} from '../install-objects/extension-objects.ts';
import type { InstallObjects } from '../install-objects/install-target.ts';
import {
  buildSubscriptionObjects,
  type SubscriptionInstall,
} from '../install-objects/subscription-objects.ts';
import type { ClusterExtensionSpec, SubscriptionSpec } from '../api/types.ts';
import { addErrorValidation } from '@tenantry/crd/constructs/error-validation';
import type { Bundle } from './bundle.ts';
import type { Catalog } from './catalog.ts';
import { ClusterExtension, OperatorGroup, Subscription } from './objects.ts';

/** What is installed. */
export interface InstalledBundleProps {
  readonly bundle: Bundle;
  /**
   * The catalog that contains the bundle. Its package, channel and version are checked against it.
   * @default - not checked
   */
  readonly catalog?: Catalog;
}

/** An installation by a Subscription, with OLM v0. */
export interface SubscriptionInstallationProps extends InstalledBundleProps, SubscriptionInstall {
  /** @default 'v0' */
  readonly olm?: 'v0';
}

/** An installation by a ClusterExtension, with OLM v1. */
export interface ExtensionInstallationProps extends InstalledBundleProps, ExtensionInstall {
  readonly olm: 'v1';
  /**
   * Bundles that may already be installed. The account may also remove what this bundle no longer
   * contains.
   * @default - none
   */
  readonly upgradesFrom?: readonly Bundle[];
}

/** Which bundle is installed, and how. */
export type BundleInstallationProps = SubscriptionInstallationProps | ExtensionInstallationProps;

/**
 * The objects by which OLM installs a bundle on a cluster that has the catalog.
 *
 * - OLM v0: the Namespace, an OperatorGroup of an install mode that the bundle supports, and the
 * Subscription.
 * - OLM v1: the Namespace, the ClusterExtension, and a ServiceAccount. Its rights are the minimum
 * to install, upgrade and remove exactly this bundle.
 *
 * A bundle that OLM would not install in this way is refused when the app is synthesized.
 *
 * The objects are children named by kind, such as `subscription` and `cluster-role-grants`.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App } from 'tenantry';
 * import { Bundle, BundleInstallation } from '@tenantry/olm/constructs';
 *
 * const app = new App();
 * const bundle = new Bundle(app, 'bundle', {
 *   operator: {
 *     name: 'shops',
 *     version: '1.0.0',
 *     image: 'registry.example.com/shops:1.0.0',
 *     access: [{ group: '', resource: 'pods', verbs: ['list', 'watch'] }],
 *   },
 *   displayName: 'Shops',
 *   channels: ['stable'],
 * });
 * const chart = new Chart(app, 'install');
 * new BundleInstallation(chart, 'shops', { bundle, olm: 'v1' });
 * const kinds = chart.toJson().map(({ kind }: { kind: string }) => kind);
 * console.log(kinds.at(-1)); // ClusterExtension
 * ```
 */
export class BundleInstallation extends Construct {
  constructor(scope: Construct, id: string, props: BundleInstallationProps) {
    super(scope, id);
    const { bundle, catalog } = props;
    const all = [bundle, ...(props.olm === 'v1' ? (props.upgradesFrom ?? []) : [])];
    // The errors of a bundle are reported at the bundle.
    const isKnown = all.every((one) => !one.isRefused);
    const { objects, findings } = isKnown
      ? buildInstallObjects(props)
      : { objects: [], findings: [] };
    const ownFindings = findings.map(toInstallationFinding);
    const errors = ownFindings.filter(({ severity }) => severity === 'error');
    addErrorValidation(this, BundleInstallation, () => errors);
    for (const one of ownFindings) {
      if (one.severity !== 'error') this.node.addMetadata(WARNING, formatFinding(one));
    }
    if (errors.length === 0) for (const object of objects) addObject(this, object, catalog);
  }
}

function buildInstallObjects(props: BundleInstallationProps): InstallObjects {
  if (props.olm !== 'v1') return buildSubscriptionObjects(props.bundle.model, props);
  const { upgradesFrom = [] } = props;
  return buildExtensionObjects(
    props.bundle.model,
    props,
    upgradesFrom.map(({ model }) => model),
  );
}

/** Converts a finding of a file of the bundle into a finding of the installation. */
function toInstallationFinding({ file, ...finding }: BundleFinding): Finding {
  return file === undefined ? finding : prefixFinding(['bundle', file], finding);
}

function addObject(scope: Construct, object: KubeObject, catalog: Catalog | undefined): void {
  const { kind, metadata } = object;
  const words = kind.replaceAll(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase();
  const id = metadata.name.endsWith('-grants') ? `${words}-grants` : words;
  const commonProps = { metadata, ...(catalog && { catalog }) };
  switch (kind) {
    case 'OperatorGroup':
      new OperatorGroup(scope, id, { metadata, spec: object['spec'] as object });
      break;
    case 'Subscription':
      new Subscription(scope, id, { ...commonProps, spec: object['spec'] as SubscriptionSpec });
      break;
    case 'ClusterExtension':
      new ClusterExtension(scope, id, {
        ...commonProps,
        spec: object['spec'] as ClusterExtensionSpec,
      });
      break;
    default:
      new ApiObject(scope, id, object);
  }
}
