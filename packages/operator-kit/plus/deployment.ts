import { ApiObject, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import type { EnvFromSource } from '@tenantry/kube/api/core';
import type { Immutable } from '@tenantry/kube/immutable';
import { isMapping } from '@tenantry/kube/mapping';
import { buildVolume, type OperatorContainer } from '../parts/container.ts';
import type { OperatorDeployment } from '../parts/deployment.ts';
import type { MountedFiles } from '../parts/pod-spec.ts';
import type { PlusContainer, PlusDeployment, PlusModule } from './module.ts';

/**
 * The label by which Services, policies and spreads of cdk8s-plus select pods. Its default value
 * changes with the construct's path.
 */
const ADDRESS = 'cdk8s.io/metadata.addr';

/** The input of a Deployment. */
interface PlusDeploymentProps {
  readonly deployment: OperatorDeployment;
  /** The files of each container. */
  readonly files: readonly (readonly MountedFiles[])[];
  readonly volumes: readonly MountedFiles[];
  readonly serviceAccount: object;
}

/**
 * Creates the Deployment of cdk8s-plus, equivalent to the plain one. Fields that its methods can
 * change are passed to it. Fields that it cannot express, or cannot change, are patched.
 */
export function createPlusDeployment(
  plus: PlusModule,
  scope: Construct,
  id: string,
  { deployment, files, volumes, serviceAccount }: PlusDeploymentProps,
): PlusDeployment {
  const { metadata, spec } = deployment;
  const { replicas, selector, template } = spec;
  const mounted = new Map(volumes.map((one) => [one.name, createPlusVolume(plus, scope, one)]));
  const made = new plus.Deployment(scope, id, {
    metadata,
    replicas,
    select: false,
    serviceAccount,
    automountServiceAccountToken: true,
    podMetadata: template.metadata,
    containers: template.spec.containers.map((one, i) =>
      buildContainer(plus, one, files[i] ?? [], mounted),
    ),
  });
  made.select(plus.LabelSelector.of({ labels: selector.matchLabels }));
  made.podMetadata.addLabel(ADDRESS, metadata.name);
  ApiObject.of(made).addJsonPatch(...buildPatches(deployment));
  return made;
}

function buildContainer(
  plus: PlusModule,
  container: OperatorContainer,
  files: readonly MountedFiles[],
  mounted: ReadonlyMap<string, object>,
): PlusContainer {
  const { name, image, command, args, ports = [], env = [], envFrom = [] } = container;
  return {
    name,
    image,
    imagePullPolicy: 'IfNotPresent',
    ...(command && { command: [...command] }),
    ...(args && { args: [...args] }),
    ports: ports.map((port) => ({ name: port.name, number: port.containerPort })),
    envVariables: Object.fromEntries(
      env.map(({ name: variable, ...value }) => [variable, boxFields(value)]),
    ),
    envFrom: envFrom.map((one) => buildEnvFrom(plus, one)),
    volumeMounts: files.map((one) => ({
      path: one.path,
      volume: mounted.get(one.name)!,
      ...(!('emptyDir' in one.from) && { readOnly: true }),
    })),
  };
}

function buildEnvFrom(
  plus: PlusModule,
  { configMapRef, secretRef, prefix }: Immutable<EnvFromSource>,
): object {
  const named = (ref: { readonly name?: string } | undefined) => ref && { name: ref.name ?? '' };
  return new plus.EnvFrom(named(configMapRef), prefix, named(secretRef));
}

/** Creates one volume, however many containers mount it. */
function createPlusVolume(plus: PlusModule, scope: Construct, file: MountedFiles): object {
  const { name, from } = file;
  const id = `volume-${name}`;
  if ('secret' in from || 'configMap' in from) {
    const options = { name, ...(from.isOptional === true && { optional: true }) };
    if ('secret' in from) return plus.Volume.fromSecret(scope, id, { name: from.secret }, options);
    return plus.Volume.fromConfigMap(scope, id, { name: from.configMap }, options);
  }
  const made = plus.Volume.fromEmptyDir(scope, id, name);
  if (!('_toKube' in made)) throw new Error('a Volume of cdk8s-plus must have _toKube');
  // cdk8s-plus has no volume for a token, and no size that is a text. Its position in the pod does not matter.
  return Object.assign(made, { _toKube: () => boxQuantities(buildVolume(file)) });
}

/** Fields of pods and of containers that have no method. */
const patchedPodFields = [
  'enableServiceLinks',
  'nodeSelector',
  'tolerations',
  'affinity',
  'priorityClassName',
  'imagePullSecrets',
  'securityContext',
  'terminationGracePeriodSeconds',
  'topologySpreadConstraints',
] as const;
const patchedContainerFields = [
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'resources',
  'securityContext',
  'terminationMessagePolicy',
] as const;

function buildPatches({ spec }: OperatorDeployment): readonly JsonPatch[] {
  const pod = spec.template.spec;
  const at = '/spec/template/spec';
  const fields: readonly (readonly [path: string, value: unknown])[] = [
    ['/spec/strategy', boxQuantities(spec.strategy)],
    ...patchedPodFields.map((field) => [`${at}/${field}`, pod[field]] as const),
    ...pod.containers.flatMap((one, i) => containerFields(one, `${at}/containers/${i}`)),
  ];
  return fields.flatMap(([path, value]) =>
    value === undefined ? [] : [JsonPatch.add(path, value)],
  );
}

function containerFields(
  container: OperatorContainer,
  at: string,
): readonly (readonly [path: string, value: unknown])[] {
  return [
    ...patchedContainerFields.map(
      (field) => [`${at}/${field}`, boxQuantities(container[field])] as const,
    ),
    // The operator's own entries come first, in their order.
    ...(container.envFrom ?? []).flatMap(({ configMapRef, secretRef }, i) => [
      [`${at}/envFrom/${i}/configMapRef/optional`, configMapRef?.optional] as const,
      [`${at}/envFrom/${i}/secretRef/optional`, secretRef?.optional] as const,
    ]),
  ];
}

/** Quantities and int-or-string values: cdk8s keeps them in an object that it unwraps after patches. */
const boxedKeys = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'sizeLimit',
  'divisor',
  'maxSurge',
  'maxUnavailable',
  'port',
]);

function boxQuantities(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(boxQuantities);
  return isMapping(value) ? boxFields(value) : value;
}

function boxFields(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      boxedKeys.has(key) ? { value: inner } : boxQuantities(inner),
    ]),
  );
}
