import type {
  Container,
  EnvFromSource,
  EnvVar,
  Probe,
  ResourceRequirements,
  SecretKeySelector,
  Volume,
  VolumeProjection,
} from '@tenantry/kube/api/core';
import type { Immutable } from '@tenantry/kube/immutable';
import type { ResolvedContainer, ResolvedProbes } from './resolved-pod.ts';
import type {
  AudienceToken,
  EnvironmentSource,
  EnvironmentValue,
  KeyOfObject,
  MountedFiles,
} from './pod-spec.ts';

/** A container of an operator's pods (core/v1). It has no privileges and cannot write to its root file system. */
export interface OperatorContainer extends Immutable<Container> {
  readonly image: string;
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources: Immutable<ResourceRequirements>;
}

export function buildContainer(filled: ResolvedContainer): OperatorContainer {
  const { name: own, image, command, args, ports, probes, files, resources } = filled;
  const env = Object.entries(filled.environment).map(([name, value]) => buildVariable(name, value));
  const envFrom = filled.environmentFrom.map(buildEnvFrom);
  return {
    name: own,
    image,
    ...(command && { command }),
    ...(args && { args }),
    ...(ports.length > 0 && {
      ports: ports.map(({ name, port }) => ({ name, containerPort: port })),
    }),
    ...(envFrom.length > 0 && { envFrom }),
    ...(env.length > 0 && { env }),
    ...(probes && buildProbes(probes)),
    resources,
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
    // The last log lines of a replica that cannot start are then in `kubectl describe pod`.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    ...(files.length > 0 && {
      volumeMounts: files.map(({ name, path, from }) => ({
        name,
        mountPath: path,
        ...(!('emptyDir' in from) && { readOnly: true }),
      })),
    }),
  };
}

type Probes = Pick<OperatorContainer, 'livenessProbe' | 'readinessProbe' | 'startupProbe'>;

function buildProbes({ port, live, ready, startup }: ResolvedProbes): Probes {
  const probe = (path: string): Immutable<Probe> => ({
    httpGet: { path, port },
    periodSeconds: 10,
    timeoutSeconds: 5,
  });
  return {
    ...(live !== undefined && { livenessProbe: probe(live) }),
    ...(ready !== undefined && { readinessProbe: probe(ready) }),
    // The other probes start after the first success of this one.
    ...(startup !== undefined &&
      live !== undefined && {
        startupProbe: {
          ...probe(live),
          periodSeconds: 5,
          failureThreshold: Math.ceil(startup / 5),
        },
      }),
  };
}

function buildVariable(name: string, value: EnvironmentValue): Immutable<EnvVar> {
  if (typeof value === 'string') return { name, value };
  if ('field' in value) return { name, valueFrom: { fieldRef: { fieldPath: value.field } } };
  if ('resource' in value) return { name, valueFrom: { resourceFieldRef: value } };
  if ('secret' in value) return { name, valueFrom: { secretKeyRef: buildKeyRef(value.secret) } };
  return { name, valueFrom: { configMapKeyRef: buildKeyRef(value.configMap) } };
}

function buildKeyRef({ name, key, isOptional = false }: KeyOfObject): Immutable<SecretKeySelector> {
  return { name, key, ...(isOptional && { optional: true }) };
}

function buildEnvFrom(source: EnvironmentSource): Immutable<EnvFromSource> {
  const { prefix = '', isOptional = false } = source;
  const name = 'secret' in source ? source.secret : source.configMap;
  const ref = { name, ...(isOptional && { optional: true }) };
  return {
    ...(prefix !== '' && { prefix }),
    ...('secret' in source ? { secretRef: ref } : { configMapRef: ref }),
  };
}

export function buildVolume({ name, from }: MountedFiles): Immutable<Volume> {
  if ('emptyDir' in from) return { name, emptyDir: from.emptyDir };
  if ('token' in from) return { name, projected: { sources: [buildTokenSource(from.token)] } };
  const optional = from.isOptional === true && { optional: true };
  if ('secret' in from) return { name, secret: { secretName: from.secret, ...optional } };
  return { name, configMap: { name: from.configMap, ...optional } };
}

function buildTokenSource({
  audience,
  lifetime = 3600,
}: AudienceToken): Immutable<VolumeProjection> {
  return { serviceAccountToken: { audience, expirationSeconds: lifetime, path: 'token' } };
}
