import { admitStrictly } from '../../crds/admit-object.ts';
import type { Definition } from '../../crds/definition.ts';
import { prefixFinding, type Finding } from '../../kube/finding.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { BundleFinding } from '../bundle/bundle.ts';

/** The objects with which OLM installs a bundle, in the order of their application, and the findings. */
export interface InstallObjects {
  readonly objects: readonly KubeObject[];
  readonly findings: readonly BundleFinding[];
}

/** Builds the Namespace of an operator. */
export function buildNamespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** Validates an object of one of OLM's kinds as an API server does. */
export function validateInstallObject(definition: Definition, object: KubeObject): Finding[] {
  const { errors } = admitStrictly(definition, object);
  return errors.map((finding) => prefixFinding([definition.kind], finding));
}
