import { admitStrictly } from '@tenantry/crd/admit-object';
import type { Definition } from '@tenantry/crd/definition';
import { prefixFinding, errorAt, type Finding } from '@tenantry/kube/finding';
import type { KubeObject } from '@tenantry/kube/object';
import { A_DNS_LABEL, isDnsLabel } from '@tenantry/kube/names';
import { show, type Path } from '@tenantry/kube/problem';
import type { BundleFinding, Bundle } from '../bundle/bundle.ts';

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

const PACKAGE = 'operators.operatorframework.io.bundle.package.v1';
const NAMESPACE = 'operatorframework.io/suggested-namespace';

/** Returns the package of a bundle; empty if it declares none. */
export function packageOf({ annotations: { values } }: Bundle): string {
  return values[PACKAGE] ?? '';
}

/** Returns the namespace that an operator suggests for itself. */
export function suggestedNamespace({ csv }: Bundle): string | undefined {
  return csv?.value.metadata?.annotations?.[NAMESPACE];
}

/** Validates the names for an installation: the package and the namespace. */
export function checkInstallTarget(bundle: Bundle, namespace: string): Finding[] {
  if (packageOf(bundle) === '') {
    const message = `must declare its package (${PACKAGE}), got none`;
    return [errorAt([], message, 'olm-package')];
  }
  return checkNamespaceName(namespace, ['namespace']);
}

/** Validates the name of a namespace. */
export function checkNamespaceName(name: string, path: Path): Finding[] {
  if (isDnsLabel(name)) return [];
  return [errorAt(path, `must be ${A_DNS_LABEL}, got ${show(name)}`, 'dns-label')];
}
