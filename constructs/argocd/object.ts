import { versionsOf, type Definition } from '../../crds/definition.ts';
import { omitZeros } from './written-back.ts';

/** The default namespace of Argo CD. */
export const ARGO_CD_NAMESPACE = 'argocd';

/** The identity of an object of Argo CD. */
export interface ArgoCdMetadata {
  readonly name: string;
  /** @default 'argocd' */
  readonly namespace?: string;
  /** @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An object of Argo CD as it is in Git. */
export interface ArgoCdObject<Spec> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ArgoCdMetadata & {
    readonly namespace: string;
    readonly finalizers?: string[];
  };
  readonly spec: Spec;
}

/** Builds an object of one of Argo CD's kinds, without what Argo CD would leave out of it. */
export function buildArgoCdObject<Spec>(
  definition: Definition,
  metadata: ArgoCdMetadata,
  spec: Spec,
  finalizers: readonly string[] = [],
): ArgoCdObject<Spec> {
  const [version] = versionsOf(definition);
  const { apiVersion, schema } = version!;
  const { name, namespace = ARGO_CD_NAMESPACE, labels, annotations } = metadata;
  return {
    apiVersion,
    kind: definition.kind,
    metadata: {
      name,
      namespace,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers.length > 0 && { finalizers: [...finalizers] }),
    },
    spec: omitZeros(schema.properties!['spec']!, spec),
  };
}
