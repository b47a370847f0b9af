/** Parts of a pod's spec in OLM's kinds: Kubernetes' own schemas say what is in them. */
import type {
  Affinity,
  EnvFromSource,
  EnvVar,
  Toleration,
  Volume,
  VolumeMount,
} from '../../kube/api/core.ts';
import type { Immutable } from '../../kube/immutable.ts';
import { builtinSchema } from '../../schema/builtin-object.ts';
import type { Schema } from '../../schema/language.ts';
import { named } from './named.ts';

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
  one('Affinity', 'On which nodes pods run, as a pod says it.'),
);

export const tolerations = named(
  'OlmTolerations',
  many('Toleration', 'Which taints of nodes pods bear, as a pod says it.'),
);

export const env = named(
  'OlmVariables',
  many('EnvVar', 'Variables of containers, as a pod says them.'),
);

export const envFrom = named(
  'OlmVariableSources',
  many('EnvFromSource', 'ConfigMaps and Secrets of variables, as a pod says them.'),
);

export const volumes = named('OlmVolumes', many('Volume', 'Volumes of pods, as a pod says them.'));

export const volumeMounts = named(
  'OlmVolumeMounts',
  many('VolumeMount', 'Where containers have volumes, as a pod says it.'),
);
