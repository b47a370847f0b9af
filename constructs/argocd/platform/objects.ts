import type { KubeObject } from '../../../kube/object.ts';
import { SYNC_WAVE } from '../../argocd-keys.ts';
import { ownObject } from '../../own-object.ts';
import type { ApplicationSetSpec, ApplicationSpec, AppProjectSpec } from '../api/types.ts';
import { finalizersOf } from '../deletion.ts';

/** What an object of Argo CD is called, where it lies, and when it comes. */
export interface Placed {
  readonly name: string;
  /** Argo CD's own. */
  readonly namespace: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

export const project = (metadata: Placed, spec: AppProjectSpec): KubeObject =>
  objectOf('AppProject', metadata, spec);

export const application = (metadata: Placed, spec: ApplicationSpec): KubeObject =>
  objectOf('Application', metadata, spec);

export const applicationSet = (metadata: Placed, spec: ApplicationSetSpec): KubeObject =>
  objectOf('ApplicationSet', metadata, spec);

function objectOf(kind: string, metadata: Placed, spec: object): KubeObject {
  return ownObject({ apiVersion: 'argoproj.io/v1alpha1', kind, metadata, spec });
}

/** In which wave of its Application an object is applied; the last is 0. */
export const inWave = (wave: number): Readonly<Record<string, string>> => ({
  [SYNC_WAVE]: String(wave),
});

/** An Application that has them takes its objects along when it is deleted, and waits for no garbage collector. */
export const CASCADE = finalizersOf('CascadeInBackground');

/** The same, wave by wave: what is deleted is gone, with all that it owns, before what came before it. */
export const CASCADE_IN_ORDER = finalizersOf('Cascade');
