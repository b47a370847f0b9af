/** The fields that several of OLM's kinds share; the parts of a pod's spec are by Kubernetes' own schemas. */
import { naming } from '@tenantry/crd/type-name';
import { object, string, type Schema } from '@tenantry/crd/schema/language';
import type {
  Affinity,
  EnvFromSource,
  EnvVar,
  Toleration,
  Volume,
  VolumeMount,
} from '@tenantry/kube/api/core';
import type { Immutable } from '@tenantry/kube/immutable';
import { builtinSchema } from '@tenantry/crd/schema/builtin-object';
import type { TypesByName } from './types-by-name.ts';

/** Names the type of the values of a schema of one of OLM's kinds. */
export const named = naming<TypesByName>();

/** `corev1.ObjectReference`. */
export const objectReference = (description: string) =>
  named(
    'OlmObjectReference',
    object(
      description,
      {
        apiVersion: string('The version of its API.'),
        kind: string('Its kind.'),
        namespace: string('Its namespace.'),
        name: string('Its name.'),
        uid: string('Its UID.'),
        resourceVersion: string('Its resourceVersion when it was read.'),
        fieldPath: string('A field within it.'),
      },
      { mapType: 'atomic' },
    ),
    'A reference to an object.',
  );

interface PodTypes {
  readonly Affinity: Affinity;
  readonly EnvFromSource: EnvFromSource;
  readonly EnvVar: EnvVar;
  readonly Toleration: Toleration;
  readonly Volume: Volume;
  readonly VolumeMount: VolumeMount;
}

type PodType = keyof PodTypes;

const one = <T extends PodType>(type: T, description: string): Schema<Immutable<PodTypes[T]>> => ({
  ...builtinSchema(type),
  description,
});

const many = <T extends PodType>(
  type: T,
  description: string,
): Schema<readonly Immutable<PodTypes[T]>[]> => ({ ...builtinSchema(`[]${type}`), description });

export const affinity = named(
  'OlmAffinity',
  one('Affinity', 'The affinity of pods, as in the spec of a pod.'),
);

export const tolerations = named(
  'OlmTolerations',
  many('Toleration', 'The tolerations of pods, as in the spec of a pod.'),
);

export const env = named(
  'OlmVariables',
  many('EnvVar', 'The environment variables of containers, as in the spec of a pod.'),
);

export const envFrom = named(
  'OlmVariableSources',
  many(
    'EnvFromSource',
    'The ConfigMaps and Secrets of environment variables, as in the spec of a pod.',
  ),
);

export const volumes = named(
  'OlmVolumes',
  many('Volume', 'The volumes of pods, as in the spec of a pod.'),
);

export const volumeMounts = named(
  'OlmVolumeMounts',
  many('VolumeMount', 'The volume mounts of containers, as in the spec of a pod.'),
);
