import { all, attempt, podIn, type Check } from './check.ts';
import type { World } from './world.ts';

const claim = ({ tenant }: World, spec: object) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: tenant.namespace },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    ...spec,
  },
});

/** Storage checks that are only planned upstream. */
export const storageChecks: readonly Check[] = [
  {
    name: 'Require PersistentVolumeClaim for storage',
    ask(world) {
      const request = {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
      };
      const volumes = [
        { csi: { driver: 'csi.example.com' } },
        { ephemeral: { volumeClaimTemplate: { spec: { ...request, volumeName: 'theirs' } } } },
      ].map((source) => ({ name: 'data', ...source }));
      const pods = volumes.map((volume) => podIn(world, { spec: { volumes: [volume] } }));
      return all(pods.map((pod) => attempt(world, pod, 'each of spec.volumes must be one of')));
    },
  },
  {
    name: 'Require PV reclaim policy of delete',
    ask: (world) =>
      attempt(
        world,
        claim(world, { storageClassName: world.storage.Retain }),
        'must name a StorageClass with reclaimPolicy Delete',
      ),
  },
  {
    name: 'Block use of existing PVs',
    ask(world) {
      const storageClassName = world.storage.Delete;
      const ways = [
        { storageClassName, volumeName: 'theirs' },
        { storageClassName, selector: { matchLabels: { app: 'theirs' } } },
        { storageClassName: '' },
      ];
      return all(ways.map((way) => attempt(world, claim(world, way), 'a claim gets a new volume')));
    },
  },
];
