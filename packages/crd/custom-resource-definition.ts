import type { KubeObject } from '@tenantry/kube/object';
import type { JSONSchemaProps } from './schema/json-schema.ts';

/**
 * The CustomResourceDefinition of apiextensions.k8s.io/v1 as plain data, without its status.
 *
 * Source: https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/
 */
export interface CustomResourceDefinitionManifest extends KubeObject {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: CustomResourceDefinitionSpec;
}

/** The names, the scope and the versions of a kind. */
export interface CustomResourceDefinitionSpec {
  readonly group: string;
  readonly names: CustomResourceDefinitionNames;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly versions: readonly CustomResourceDefinitionVersion[];
  readonly conversion?: CustomResourceConversion;
  /** Refused by the API server unless false. */
  readonly preserveUnknownFields?: boolean;
}

/** The names of a kind. */
export interface CustomResourceDefinitionNames {
  readonly kind: string;
  /** The name in paths, in lower case. It is never derived. */
  readonly plural: string;
  /** @default - the kind in lower case */
  readonly singular?: string;
  /** @default - the kind with the suffix `List` */
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  /** The groups of kinds that `kubectl get` knows, such as `all`. */
  readonly categories?: readonly string[];
}

/** One version of a kind, in the form of the manifest. */
export interface CustomResourceDefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JSONSchemaProps };
  readonly subresources?: {
    readonly status?: Readonly<Record<string, never>>;
    readonly scale?: ScaleSubresource;
  };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

/** The fields in which `kubectl scale` and autoscalers find the number of replicas. */
export interface ScaleSubresource {
  /** Such as `.spec.replicas`. */
  readonly specReplicasPath: string;
  /** Such as `.status.replicas`. */
  readonly statusReplicasPath: string;
  /** Such as `.status.selector`: a label selector as a string. */
  readonly labelSelectorPath?: string;
}

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'date';
  readonly jsonPath: string;
  /** An OpenAPI format, such as `int32` or `password`. */
  readonly format?: string;
  readonly description?: string;
  /** Above 0: only with `-o wide`. Default: 0. */
  readonly priority?: number;
}

/** How the API server converts between versions: not at all, or by a webhook. */
export interface CustomResourceConversion {
  readonly strategy: 'None' | 'Webhook';
  readonly webhook?: {
    readonly clientConfig?: {
      readonly url?: string;
      readonly service?: {
        readonly namespace: string;
        readonly name: string;
        readonly path?: string;
        readonly port?: number;
      };
      /** PEM, in base64. */
      readonly caBundle?: string;
    };
    readonly conversionReviewVersions: readonly string[];
  };
}
