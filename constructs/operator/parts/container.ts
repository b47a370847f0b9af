import type { FilledPod } from './filled.ts';
import { CONTAINER } from './names.ts';
import type { EnvironmentValue, KeyOfObject, MountedFiles } from './podspec.ts';
import type { OperatorSpec } from './spec.ts';

/** The container of an operator (core/v1). Nothing of it is privileged, and nothing writable. */
export interface OperatorContainer {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly OperatorVariable[];
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly resources: object;
  readonly securityContext: object;
  readonly terminationMessagePolicy: 'FallbackToLogsOnError';
  readonly volumeMounts?: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly readOnly?: boolean;
  }[];
}

/** A variable of a container (core/v1, EnvVar). */
export interface OperatorVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: object;
}

export function containerOf(spec: OperatorSpec, filled: FilledPod): OperatorContainer {
  const { command, args } = spec;
  const { ports, probes, environment, files, resources } = filled;
  const env = Object.entries(environment).map(([name, value]) => variable(name, value));
  const probe = (path: string): object => ({
    httpGet: { path, port: probes?.port },
    periodSeconds: 10,
    timeoutSeconds: 5,
  });
  return {
    name: CONTAINER,
    image: spec.image,
    ...(command && { command }),
    ...(args && { args }),
    ...(ports.length > 0 && {
      ports: ports.map(({ name, port }) => ({ name, containerPort: port })),
    }),
    ...(env.length > 0 && { env }),
    ...(probes && { livenessProbe: probe(probes.live), readinessProbe: probe(probes.ready) }),
    resources,
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
    // What a replica that cannot start says stands in `kubectl describe pod`.
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

function variable(name: string, value: EnvironmentValue): OperatorVariable {
  if (typeof value === 'string') return { name, value };
  if ('field' in value) return { name, valueFrom: { fieldRef: { fieldPath: value.field } } };
  if ('secret' in value) return { name, valueFrom: { secretKeyRef: keyRef(value.secret) } };
  return { name, valueFrom: { configMapKeyRef: keyRef(value.configMap) } };
}

function keyRef({ name, key, isOptional = false }: KeyOfObject): object {
  return { name, key, ...(isOptional && { optional: true }) };
}

/** A volume (core/v1), of one of its kinds. */
export interface OperatorVolume {
  readonly name: string;
  readonly configMap?: object;
  readonly secret?: object;
  readonly emptyDir?: object;
}

export function volumeOf({ name, from }: MountedFiles): OperatorVolume {
  if ('emptyDir' in from) return { name, emptyDir: from.emptyDir };
  const optional = from.isOptional === true && { optional: true };
  if ('secret' in from) return { name, secret: { secretName: from.secret, ...optional } };
  return { name, configMap: { name: from.configMap, ...optional } };
}
