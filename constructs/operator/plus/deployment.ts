import { ApiObject, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Volume } from '../../../kube/api/core.ts';
import type { Immutable } from '../../../kube/immutable.ts';
import { isMapping } from '../../../kube/mapping.ts';
import type { OperatorContainer } from '../parts/container.ts';
import type { OperatorDeployment } from '../parts/deployment.ts';
import type { MountedFiles } from '../parts/podspec.ts';
import type { PlusContainer, PlusDeployment, UsedPlus } from './used.ts';

/** By which Services, policies and spreads of cdk8s-plus find pods. Its own value changes with the construct's path. */
const ADDRESS = 'cdk8s.io/metadata.addr';

/** What a Deployment is made of. */
export interface PlusDeploymentProps {
  readonly deployment: OperatorDeployment;
  readonly files: readonly MountedFiles[];
  readonly serviceAccount: object;
}

/**
 * The Deployment as one of cdk8s-plus: what users may change by its methods is told to it, and what it cannot say,
 * or lets nobody change, is patched. It means what the plain one means.
 */
export function plusDeployment(
  plus: UsedPlus,
  scope: Construct,
  id: string,
  { deployment, files, serviceAccount }: PlusDeploymentProps,
): PlusDeployment {
  const { metadata, spec } = deployment;
  const { replicas, selector, template } = spec;
  const [container] = template.spec.containers;
  const made = new plus.Deployment(scope, id, {
    metadata,
    replicas,
    select: false,
    serviceAccount,
    automountServiceAccountToken: true,
    podMetadata: template.metadata,
    containers: [containerOf(plus, scope, container, files)],
  });
  made.select(plus.LabelSelector.of({ labels: selector.matchLabels }));
  made.podMetadata.addLabel(ADDRESS, metadata.name);
  ApiObject.of(made).addJsonPatch(...patchesOf(deployment));
  return made;
}

function containerOf(
  plus: UsedPlus,
  scope: Construct,
  container: OperatorContainer,
  files: readonly MountedFiles[],
): PlusContainer {
  const { name, image, command, args, ports = [], env = [] } = container;
  return {
    name,
    image,
    imagePullPolicy: 'IfNotPresent',
    ...(command && { command: [...command] }),
    ...(args && { args: [...args] }),
    ports: ports.map((port) => ({ name: port.name, number: port.containerPort })),
    envVariables: Object.fromEntries(
      env.map(({ name: variable, ...said }) => [variable, boxedFields(said)]),
    ),
    volumeMounts: files.map((one) => ({
      path: one.path,
      volume: volumeOf(plus, scope, one),
      ...(!('emptyDir' in one.from) && { readOnly: true }),
    })),
  };
}

function volumeOf(plus: UsedPlus, scope: Construct, { name, from }: MountedFiles): object {
  const id = `volume-${name}`;
  // A token is written over it: there is no volume of that kind.
  if ('emptyDir' in from || 'token' in from) return plus.Volume.fromEmptyDir(scope, id, name);
  const options = { name, ...(from.isOptional === true && { optional: true }) };
  if ('secret' in from) return plus.Volume.fromSecret(scope, id, { name: from.secret }, options);
  return plus.Volume.fromConfigMap(scope, id, { name: from.configMap }, options);
}

/** Fields of pods and of the container that have no method. */
const ofPod = [
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
const ofContainer = [
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'resources',
  'securityContext',
  'terminationMessagePolicy',
] as const;

function patchesOf({ spec }: OperatorDeployment): readonly JsonPatch[] {
  const pod = spec.template.spec;
  const [container] = pod.containers;
  const at = '/spec/template/spec';
  const fields: readonly (readonly [path: string, value: unknown])[] = [
    ['/spec/strategy', boxed(spec.strategy)],
    ...ofPod.map((field) => [`${at}/${field}`, pod[field]] as const),
    ...ofContainer.map(
      (field) => [`${at}/containers/0/${field}`, boxed(container[field])] as const,
    ),
  ];
  return [
    ...fields.flatMap(([path, value]) => (value === undefined ? [] : [JsonPatch.add(path, value)])),
    // Our volumes are the first of the pod, in their order.
    ...(pod.volumes ?? []).flatMap((one, i) => volumePatches(one, `${at}/volumes/${i}`)),
  ];
}

function volumePatches({ emptyDir, projected }: Immutable<Volume>, at: string): JsonPatch[] {
  if (projected)
    return [JsonPatch.remove(`${at}/emptyDir`), JsonPatch.add(`${at}/projected`, projected)];
  return emptyDir ? [JsonPatch.add(`${at}/emptyDir`, boxed(emptyDir))] : [];
}

/** Quantities, and what is a number or a text: cdk8s has them in a box, which it opens after patches. */
const boxes = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'sizeLimit',
  'divisor',
  'maxSurge',
  'maxUnavailable',
  'port',
]);

function boxed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(boxed);
  return isMapping(value) ? boxedFields(value) : value;
}

function boxedFields(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      boxes.has(key) ? { value: inner } : boxed(inner),
    ]),
  );
}
