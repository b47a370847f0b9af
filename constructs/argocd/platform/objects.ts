import type { KubeObject } from '../../../kube/object.ts';
import { SYNC_WAVE } from '../../argocd-keys.ts';
import { addTenantryLabels } from '../../own-object.ts';
import type { ApplicationSetSpec, ApplicationSpec, AppProjectSpec } from '../api/types.ts';
import { finalizersOf } from '../deletion.ts';

/** What an object of Argo CD is called, where it lies, and when it comes. */
export interface ArgoCdObjectMetadata {
  readonly name: string;
  /** Argo CD's own. */
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

/** In which wave of its Application an object is applied; the last is 0. */
export const waveAnnotation = (wave: number): Readonly<Record<string, string>> => ({
  [SYNC_WAVE]: String(wave),
});

/** An Application that has them takes its objects along when it is deleted, and waits for no garbage collector. */
export const CASCADE = finalizersOf('CascadeInBackground');

/** The same, wave by wave: what is deleted is gone, with all that it owns, before what came before it. */
export const CASCADE_IN_ORDER = finalizersOf('Cascade');
