import { crdManifest } from '../../../crds/definition.ts';
import type { CustomResourceDefinitionManifest } from '../../../crds/custom-resource-definition.ts';
import type { OperatorKind } from './kind-spec.ts';
import type { ImagelessSpec } from './spec.ts';

/** By which everything of an operator finds its pods. A selector never changes. */
export function selectorOf({
  name,
}: Pick<ImagelessSpec, 'name'>): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': name };
}

/** Where it runs. */
export function namespaceOf({ name, namespace = name }: ImagelessSpec): string {
  return namespace;
}

/** Of the Service that API servers ask, of the Secret behind it, and of what cert-manager makes. */
export function webhookName({ name }: Pick<ImagelessSpec, 'name'>): string {
  return `${name}-webhooks`;
}

/** The definition of a kind as YAML has it. */
export function manifestOf(kind: OperatorKind): CustomResourceDefinitionManifest {
  return isManifest(kind) ? kind : crdManifest(kind);
}

function isManifest(kind: OperatorKind): kind is CustomResourceDefinitionManifest {
  return 'spec' in kind;
}

/** Names of its containers, ports and volumes. */
export const CONTAINER = 'operator';
export const HEALTH = 'health';
export const METRICS = 'metrics';
export const WEBHOOKS = 'webhooks';
export const CERTIFICATES = 'webhook-certificates';

/** The variable of the namespaces that an operator watches, where these are not all. */
export const WATCHED = 'WATCH_NAMESPACE';

/** Where OLM lays certificates of webhooks too. */
export const CERTIFICATES_PATH = '/tmp/k8s-webhook-server/serving-certs';

/** What pods run on: an operator is a program for Linux, and `restricted` says nothing of others. */
export const OS_LABEL = 'kubernetes.io/os';
export const OS = 'linux';
