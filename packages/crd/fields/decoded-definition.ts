import type { JSONSchemaProps } from '../schema/json-schema.ts';

/*
 * A definition as `readAsServer` gives it: every field of the right type, and any of them absent. A mapping
 * that the manifest leaves out is absent too.
 */

export interface DecodedMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly DecodedOwner[];
  readonly finalizers?: readonly string[];
}

export interface DecodedOwner {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

export interface DecodedNames {
  readonly plural?: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind?: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
}

export interface DecodedScale {
  readonly specReplicasPath?: string;
  readonly statusReplicasPath?: string;
  readonly labelSelectorPath?: string;
}

export interface DecodedSubresources {
  readonly status?: object;
  readonly scale?: DecodedScale;
}

export interface DecodedColumn {
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath?: string;
}

export interface DecodedVersion {
  readonly name?: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JSONSchemaProps };
  readonly subresources?: DecodedSubresources;
  readonly additionalPrinterColumns?: readonly DecodedColumn[];
  readonly selectableFields?: readonly { readonly jsonPath?: string }[];
}

export interface DecodedConversion {
  readonly strategy?: string;
  readonly webhook?: {
    readonly clientConfig?: {
      readonly url?: string;
      readonly service?: {
        readonly namespace?: string;
        readonly name?: string;
        readonly path?: string;
        readonly port?: number;
      };
      readonly caBundle?: string | readonly number[];
    };
    readonly conversionReviewVersions?: readonly string[];
  };
}

export interface DecodedSpec {
  readonly group?: string;
  readonly names?: DecodedNames;
  readonly scope?: string;
  readonly versions?: readonly DecodedVersion[];
  readonly conversion?: DecodedConversion;
  readonly preserveUnknownFields?: boolean;
}

export interface DecodedDefinition {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: DecodedMeta;
  readonly spec?: DecodedSpec;
  readonly status?: { readonly storedVersions?: readonly string[] };
}
