import { versionsOf, type Definition } from '../../crds/definition.ts';

/** The default namespace of Flux. */
export const FLUX_NAMESPACE = 'flux-system';

/** The identity of an object of Flux. */
export interface FluxMetadata {
  readonly name: string;
  /** @default 'flux-system' */
  readonly namespace?: string;
  /** @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An object of Flux as it is in Git. */
export interface FluxObject<Spec> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: FluxMetadata & { readonly namespace: string };
  readonly spec: Spec;
}

/** Builds an object of one of Flux' kinds. */
export function buildFluxObject<Spec>(
  definition: Definition,
  { namespace = FLUX_NAMESPACE, ...metadata }: FluxMetadata,
  spec: Spec,
): FluxObject<Spec> {
  const [version] = versionsOf(definition);
  const { apiVersion } = version!;
  return { apiVersion, kind: definition.kind, metadata: { ...metadata, namespace }, spec };
}
