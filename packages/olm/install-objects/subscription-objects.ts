import { errorAt } from '@tenantry/kube/finding';
import { operatorGroup } from '../api/operator-group.ts';
import { subscription } from '../api/subscription.ts';
import type { SubscriptionSpec } from '../api/types.ts';
import type { Bundle } from '../bundle/bundle.ts';
import {
  checkNamespaceName,
  readPackageName,
  checkInstallTarget,
  suggestedNamespace,
  validateInstallObject,
  buildNamespace,
  type InstallObjects,
  supportedModes,
  checkTargetNamespaces,
} from './install-target.ts';

/** Options of an installation by OLM v0. */
export interface SubscriptionInstall {
  /** The namespace of the operator. @default - the one that the bundle suggests, or else the name of the package */
  readonly namespace?: string;
  /** Whether the Namespace is among the objects. @default true */
  readonly makesNamespace?: boolean;
  /** The CatalogSource that has the package. @default - operatorhubio-catalog in the namespace olm */
  readonly source?: { readonly name: string; readonly namespace: string };
  /** The channel. @default - the default channel of the bundle, or else of the package */
  readonly channel?: string;
  /** The version that is installed first. @default - the head of the channel */
  readonly startingCSV?: string;
  /** Whether each InstallPlan requires a manual approval. @default 'Automatic' */
  readonly approval?: 'Automatic' | 'Manual';
  /** The namespaces that the operator watches. @default - all, if the bundle supports that; otherwise its own */
  readonly watch?: readonly string[];
}

const CATALOG = { name: 'operatorhubio-catalog', namespace: 'olm' };

/** Builds the Namespace, the OperatorGroup and the Subscription with which OLM v0 installs the operator of a bundle. */
export function buildSubscriptionObjects(
  bundle: Bundle,
  props: SubscriptionInstall = {},
): InstallObjects {
  const { makesNamespace = true, source = CATALOG, startingCSV, approval } = props;
  const name = readPackageName(bundle);
  const { namespace = suggestedNamespace(bundle) ?? name } = props;
  const modes = supportedModes(bundle);
  const { watch = modes.has('AllNamespaces') ? undefined : [namespace] } = props;
  const fault = checkTargetNamespaces(modes, namespace, watch);
  const channel = props.channel ?? defaultChannel(bundle);
  const spec: SubscriptionSpec = {
    ...(channel !== undefined && { channel }),
    name,
    source: source.name,
    sourceNamespace: source.namespace,
    ...(startingCSV !== undefined && { startingCSV }),
    ...(approval !== undefined && { installPlanApproval: approval }),
  };
  const metadata = { name, namespace };
  const group = {
    apiVersion: 'operators.coreos.com/v1',
    kind: 'OperatorGroup',
    metadata,
    spec: watch === undefined ? {} : { targetNamespaces: [...new Set(watch)] },
  };
  const wanted = {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'Subscription',
    metadata,
    spec,
  };
  return {
    objects: [...(makesNamespace ? [buildNamespace(namespace)] : []), group, wanted],
    findings: [
      ...checkInstallTarget(bundle, namespace),
      ...(watch ?? []).flatMap((one, i) => checkNamespaceName(one, ['watch', i])),
      ...(fault === undefined ? [] : [errorAt(['watch'], fault, 'install-mode')]),
      ...validateInstallObject(operatorGroup, group),
      ...validateInstallObject(subscription, wanted),
    ],
  };
}

function defaultChannel({ annotations: { values } }: Bundle): string | undefined {
  const prefix = 'operators.operatorframework.io.bundle';
  const declared = values[`${prefix}.channel.default.v1`];
  const [only, ...more] = (values[`${prefix}.channels.v1`] ?? '').split(',');
  return declared || (more.length === 0 ? only || undefined : undefined);
}
