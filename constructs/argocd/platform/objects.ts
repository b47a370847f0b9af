import type { KubeObject } from '../../../kube/object.ts';
import { SYNC_WAVE } from '../../argocd-keys.ts';
import { addTenantryLabels } from '../../own-object.ts';
import type { ApplicationSetSpec, ApplicationSpec, AppProjectSpec } from '../api/types.ts';
import { finalizersOf } from '../deletion.ts';

/** The name, namespace and wave of an object of Argo CD. */
export interface ArgoCdObjectMetadata {
  readonly name: string;
  /** Argo CD's own namespace. */
  readonly namespace: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

export const buildProject = (metadata: ArgoCdObjectMetadata, spec: AppProjectSpec): KubeObject =>
  buildObject('AppProject', metadata, spec);

export const buildApplication = (
  metadata: ArgoCdObjectMetadata,
  spec: ApplicationSpec,
): KubeObject => buildObject('Application', metadata, spec);

export const buildApplicationSet = (
  metadata: ArgoCdObjectMetadata,
  spec: ApplicationSetSpec,
): KubeObject => buildObject('ApplicationSet', metadata, spec);

function buildObject(kind: string, metadata: ArgoCdObjectMetadata, spec: object): KubeObject {
  return addTenantryLabels({ apiVersion: 'argoproj.io/v1alpha1', kind, metadata, spec });
}

/** Returns the annotation for the wave of an Application in which an object is applied; the last wave is 0. */
export const waveAnnotation = (wave: number): Readonly<Record<string, string>> => ({
  [SYNC_WAVE]: String(wave),
});

/** Finalizers of an Application whose objects are deleted with it, without waiting for the garbage collector. */
export const CASCADE = finalizersOf('CascadeInBackground');

/**
 * Finalizers that delete wave by wave: deleted objects and their dependents are gone before the wave before them is
 * deleted.
 */
export const CASCADE_IN_ORDER = finalizersOf('Cascade');
