/** Parts of a pod's spec in OLM's kinds: Kubernetes' own schemas say what is in them. */
import { builtinSchema } from '../../schema/builtinobject.ts';
import type { Schema } from '../../schema/language.ts';
import { named } from './named.ts';

type Fields = Readonly<Record<string, unknown>>;

const one = (type: string, description: string): Schema<Fields> => ({
  ...builtinSchema(type),
  description,
});

const many = (type: string, description: string): Schema<readonly Fields[]> => ({
  ...builtinSchema(`[]${type}`),
  description,
});

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
