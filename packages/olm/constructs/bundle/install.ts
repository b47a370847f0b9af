import { buildRoles, type AccessRule, type PolicyRule } from '@tenantry/kube/access';
import type {
  DeploymentStrategySpec,
  InstallMode,
  InstallModeType,
  StrategyDeploymentSpec,
  WebhookDefinition,
} from '../../bundle/cluster-service-version.ts';
import type { OperatorDeploymentSpec } from '@tenantry/operator-kit/parts/deployment';
import { CERTIFICATES, WATCHED, manifestOf } from '@tenantry/operator-kit/parts/names';
import type { OperatorParts } from '@tenantry/operator-kit/parts/parts';
import type {
  OperatorSpec,
  OperatorAdmission,
  OperatorMutation,
} from '@tenantry/operator-kit/parts/spec';
import { resolveScope } from '@tenantry/operator-kit/parts/rights';
import { isInstalledOperator, type BundleProps } from './props.ts';
import { buildWebhookPath } from '@tenantry/operator-kit/parts/webhooks';
import { webhookPort } from '@tenantry/operator-kit/parts/resolved-pod';

const modes: readonly InstallModeType[] = [
  'OwnNamespace',
  'SingleNamespace',
  'MultiNamespace',
  'AllNamespaces',
];

/** Lists all install modes and whether the operator supports them. OLM requires every mode to be listed. */
export function listInstallModes(props: BundleProps): InstallMode[] {
  const supported = listSupportedModes(props);
  return modes.map((type) => ({ type, supported: supported.includes(type) }));
}

function listSupportedModes({
  operator,
  installModes: declared,
}: BundleProps): readonly InstallModeType[] {
  if (declared) return declared;
  if (isInstalledOperator(operator)) return ['AllNamespaces'];
  // A definition is cluster-wide, and so is its conversion webhook.
  if ((operator.webhooks?.conversion ?? []).length > 0) return ['AllNamespaces'];
  return [operator.watch?.mode ?? 'AllNamespaces'];
}

/**
 * Adapts the operator to OLM. OLM sets the watched namespaces, and mounts the certificate of the
 * webhooks into the pods.
 */
export function adaptForOlm(props: BundleProps, operator: OperatorSpec): OperatorSpec {
  const { webhooks, environment = {}, version } = operator;
  const hasNamespacedMode = listSupportedModes(props).some((mode) => mode !== 'AllNamespaces');
  const watched = { field: "metadata.annotations['olm.targetNamespaces']" };
  return {
    ...operator,
    // The version becomes a label, and a label cannot contain the `+` of build metadata.
    ...(version !== undefined && { version: version.replaceAll('+', '-') }),
    makesNamespace: false,
    watch: { mode: 'AllNamespaces' },
    environment: { ...environment, ...(hasNamespacedMode && { [WATCHED]: watched }) },
    ...(webhooks && { webhooks: { ...webhooks, certificates: 'cert-manager' } }),
  };
}

/** Builds the Deployments and rights that OLM creates for the operator. */
export function buildStrategy(
  operator: OperatorSpec,
  parts: OperatorParts,
): DeploymentStrategySpec {
  const { metadata, spec } = parts.workload.deployment;
  const everywhere: AccessRule[] = [];
  const around: AccessRule[] = [];
  for (const { namespaces, ...rule } of [...operator.access, ...parts.rights.election]) {
    const isAround = namespaces !== undefined || !isClusterWide(rule, operator);
    (isAround ? around : everywhere).push(rule);
  }
  const name = operator.name;
  const [clusterRules, rules] = [
    buildRoles(everywhere).cluster,
    listNamespacedRules(around, everywhere),
  ];
  return {
    deployments: [{ name, spec: adaptDeployment(spec), label: metadata.labels ?? {} }],
    ...(rules.length > 0 && { permissions: [{ serviceAccountName: name, rules }] }),
    ...(clusterRules.length > 0 && {
      clusterPermissions: [{ serviceAccountName: name, rules: clusterRules }],
    }),
  };
}

/** Returns whether a right without namespaces applies to the whole cluster. */
function isClusterWide(rule: AccessRule, operator: OperatorSpec): boolean {
  const { mode } = operator.watch ?? { mode: 'AllNamespaces' };
  return mode === 'AllNamespaces' || resolveScope(rule, operator) === 'Cluster';
}

/** Leaves out what is already granted in the whole cluster. */
function listNamespacedRules(
  around: readonly AccessRule[],
  everywhere: readonly AccessRule[],
): readonly PolicyRule[] {
  const namespaces = ['watched'];
  const held = around.map((rule) => ({ ...rule, namespaces }));
  return buildRoles([...everywhere, ...held]).namespaces.get('watched') ?? [];
}

/** Removes the volume of the certificate: OLM adds its own at the same path. */
function adaptDeployment(spec: OperatorDeploymentSpec): StrategyDeploymentSpec {
  const { volumes = [], containers, ...pod } = spec.template.spec;
  const others = volumes.filter(({ name }) => name !== CERTIFICATES);
  const [{ volumeMounts = [], ...container }, ...sidecars] = containers;
  const mounts = volumeMounts.filter(({ name }) => name !== CERTIFICATES);
  return {
    ...spec,
    template: {
      ...spec.template,
      spec: {
        ...pod,
        containers: [
          { ...container, ...(mounts.length > 0 && { volumeMounts: mounts }) },
          ...sidecars,
        ],
        ...(others.length > 0 && { volumes: others }),
      },
    },
  };
}

/** The webhooks of an operator as OLM registers them. */
export function buildWebhookDefinitions(operator: OperatorSpec): WebhookDefinition[] {
  const { webhooks } = operator;
  if (!webhooks) return [];
  const { conversion = [], validating = [], mutating = [] } = webhooks;
  const served = {
    deploymentName: operator.name,
    containerPort: 443,
    targetPort: webhookPort(operator),
    admissionReviewVersions: ['v1'],
  };
  return [
    ...conversion.map(({ kind, path }): WebhookDefinition => {
      const { metadata, spec } = manifestOf(kind);
      const { plural } = spec.names;
      return {
        generateName: `convert.${metadata.name}`,
        type: 'ConversionWebhook',
        ...served,
        sideEffects: 'None',
        webhookPath: path ?? `/convert/${plural}.${spec.group}`,
        conversionCRDs: [metadata.name],
      };
    }),
    ...validating.map((webhook): WebhookDefinition => {
      return {
        ...buildAdmission(webhook, 'validate'),
        type: 'ValidatingAdmissionWebhook',
        ...served,
      };
    }),
    ...mutating.map((webhook: OperatorMutation): WebhookDefinition => {
      const { reinvocationPolicy } = webhook;
      return {
        ...buildAdmission(webhook, 'mutate'),
        type: 'MutatingAdmissionWebhook',
        ...served,
        ...(reinvocationPolicy && { reinvocationPolicy }),
      };
    }),
  ];
}

function buildAdmission(
  webhook: OperatorAdmission,
  verb: 'validate' | 'mutate',
): Omit<WebhookDefinition, 'type' | 'admissionReviewVersions'> {
  const { failurePolicy = 'Fail', sideEffects = 'None', timeout, matchPolicy } = webhook;
  return {
    generateName: webhook.name,
    rules: webhook.rules.map(({ groups, versions, resources, operations, scope }) => ({
      apiGroups: groups,
      apiVersions: versions,
      resources,
      operations,
      ...(scope && { scope }),
    })),
    failurePolicy,
    sideEffects,
    ...(timeout !== undefined && { timeoutSeconds: timeout }),
    ...(matchPolicy && { matchPolicy }),
    ...(webhook.objectSelector && { objectSelector: webhook.objectSelector }),
    webhookPath: webhook.path ?? buildWebhookPath(verb, webhook.rules),
  };
}
