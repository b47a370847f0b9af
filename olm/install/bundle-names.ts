import { errorAt, type Finding } from '../../kube/finding.ts';
import { A_DNS_LABEL, isDnsLabel } from '../../kube/names.ts';
import { show, type Path } from '../../kube/problem.ts';
import type { Bundle } from '../bundle/bundle.ts';

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
