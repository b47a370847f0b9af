import { admitStrictly } from '../../crds/admit-object.ts';
import type { Definition } from '../../crds/definition.ts';
import { prefixFinding, type Finding } from '../../kube/finding.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { BundleFinding } from '../bundle/bundle.ts';

/** What OLM installs something by: objects in the order in which they are applied, and what is wrong. */
export interface InstallObjects {
  readonly objects: readonly KubeObject[];
  readonly findings: readonly BundleFinding[];
}

/** The Namespace in which an operator is installed. */
export function buildNamespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** What an API server would refuse of an object of OLM's. */
export function validateInstallObject(definition: Definition, object: KubeObject): Finding[] {
  const { errors } = admitStrictly(definition, object);
  return errors.map((finding) => prefixFinding([definition.kind], finding));
}
