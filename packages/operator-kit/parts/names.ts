import { crdManifest } from '@tenantry/crd/definition';
import type { CustomResourceDefinitionManifest } from '@tenantry/crd/custom-resource-definition';
import type { OperatorKind, ImagelessSpec } from './spec.ts';

/** Returns the labels that select the operator's pods. A selector never changes. */
export function selectorOf({
  name,
}: Pick<ImagelessSpec, 'name'>): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': name };
}

/** Returns the namespace of the operator. */
export function namespaceOf({ name, namespace = name }: ImagelessSpec): string {
  return namespace;
}

/** Returns the name of the webhooks' Service, of its Secret, and of the objects for cert-manager. */
export function webhookName({ name }: Pick<ImagelessSpec, 'name'>): string {
  return `${name}-webhooks`;
}

/** Returns the definition of a kind as plain data. */
export function manifestOf(kind: OperatorKind): CustomResourceDefinitionManifest {
  return isManifest(kind) ? kind : crdManifest(kind);
}

function isManifest(kind: OperatorKind): kind is CustomResourceDefinitionManifest {
  return 'spec' in kind;
}

/** The names of containers, ports and volumes. */
export const CONTAINER = 'operator';
export const HEALTH = 'health';
export const METRICS = 'metrics';
export const WEBHOOKS = 'webhooks';
export const CERTIFICATES = 'webhook-certificates';

/** The variable with the namespaces that an operator watches, unless it watches all. */
export const WATCHED = 'WATCH_NAMESPACE';

/** The folder for the certificates of webhooks; OLM uses the same one. */
export const CERTIFICATES_PATH = '/tmp/k8s-webhook-server/serving-certs';

/**
 * The label for the operating system. Operators run on Linux, and `restricted` has requirements for
 * other systems that differ.
 */
export const OS_LABEL = 'kubernetes.io/os';
export const OS = 'linux';
