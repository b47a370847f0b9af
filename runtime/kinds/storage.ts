// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/storage.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/storage.ts';

/** CSIDriver captures information about a Container Storage Interface (CSI) volume driver deployed on the cluster. */
export const CSIDriver: Kind<CSIDriver, 'storage.k8s.io', 'CSIDriver'> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIDriver',
  plural: 'csidrivers',
  scope: 'Cluster',
};

/** CSINode holds information about all CSI drivers installed on a node. */
export const CSINode: Kind<CSINode, 'storage.k8s.io', 'CSINode'> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSINode',
  plural: 'csinodes',
  scope: 'Cluster',
};

/** CSIStorageCapacity stores the result of one CSI GetCapacity call. */
export const CSIStorageCapacity: Kind<CSIStorageCapacity, 'storage.k8s.io', 'CSIStorageCapacity'> =
  {
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'CSIStorageCapacity',
    plural: 'csistoragecapacities',
    scope: 'Namespaced',
  };

/** StorageClass describes the parameters for a class of storage for which PersistentVolumes can be dynamically provisioned. */
export const StorageClass: Kind<StorageClass, 'storage.k8s.io', 'StorageClass'> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  scope: 'Cluster',
};

/** VolumeAttachment captures the intent to attach or detach the specified volume to/from the specified node. */
export const VolumeAttachment: Kind<VolumeAttachment, 'storage.k8s.io', 'VolumeAttachment'> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  scope: 'Cluster',
};

/** VolumeAttributesClass represents a specification of mutable volume attributes defined by the CSI driver. */
export const VolumeAttributesClass: Kind<
  VolumeAttributesClass,
  'storage.k8s.io',
  'VolumeAttributesClass'
> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttributesClass',
  plural: 'volumeattributesclasses',
  scope: 'Cluster',
};

export type CSIDriver = api.CSIDriver;
export type CSINode = api.CSINode;
export type CSIStorageCapacity = api.CSIStorageCapacity;
export type StorageClass = api.StorageClass;
export type VolumeAttachment = api.VolumeAttachment;
export type VolumeAttributesClass = api.VolumeAttributesClass;
