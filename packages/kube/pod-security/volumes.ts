import { isMapping, listAt } from '../mapping.ts';
import type { CheckedPod, PodFault, PodSecurityCheck } from './check.ts';

/** The checks about the volumes of a pod. */
export const volumeChecks: readonly PodSecurityCheck[] = [
  { id: 'hostPathVolumes', level: 'baseline', find: findHostPaths },
  {
    id: 'restrictedVolumes',
    level: 'restricted',
    replaces: 'hostPathVolumes',
    find: findRestrictedVolumes,
  },
];

function* findHostPaths({ spec }: CheckedPod): Generator<PodFault> {
  for (const [i, volume] of listAt(spec, ['volumes']).entries()) {
    if (!isMapping(volume) || !isMapping(volume['hostPath'])) continue;
    const message = 'must be another type of volume, got hostPath';
    yield { path: ['spec', 'volumes', i, 'hostPath'], message };
  }
}

const allowedTypes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/** The other types of volumes that the API has. The drivers of most of them are removed. */
const refusedTypes = [
  'awsElasticBlockStore',
  'azureDisk',
  'azureFile',
  'cephfs',
  'cinder',
  'fc',
  'flexVolume',
  'flocker',
  'gcePersistentDisk',
  'gitRepo',
  'glusterfs',
  'hostPath',
  'iscsi',
  'nfs',
  'photonPersistentDisk',
  'portworxVolume',
  'quobyte',
  'rbd',
  'scaleIO',
  'storageos',
  'vsphereVolume',
];

/**
 * Finds volumes of a type that `restricted` refuses. A volume without any type of the API becomes an emptyDir.
 * Source: k8s.io/kubernetes pkg/apis/core/v1 SetDefaults_Volume
 */
function* findRestrictedVolumes({ spec }: CheckedPod): Generator<PodFault> {
  for (const [i, volume] of listAt(spec, ['volumes']).entries()) {
    if (!isMapping(volume) || allowedTypes.some((type) => isMapping(volume[type]))) continue;
    const type = refusedTypes.find((one) => isMapping(volume[one]));
    if (type === undefined) continue;
    const message = `must be one of ${allowedTypes.join(', ')}, got ${type}`;
    yield { path: ['spec', 'volumes', i, type], message };
  }
}
