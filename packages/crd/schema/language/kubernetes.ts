/**
 * Schemas of types that many kinds share, as in Kubernetes' own Go types. Lists and maps are bounded, so that CEL rules
 * over them stay within the API server's budget.
 */
import { annotations, labels, labelValue, objectName } from './metadata.ts';
import { QUANTITY_PATTERN } from '@tenantry/kube/quantity';
import { list, listMap, object, required } from './containers.ts';
import { boolean, enumOf, integer, intOrString, string } from './scalars.ts';
import type { Schema } from './static.ts';

/**
 * `metav1.Time`: RFC 3339, to the second.
 *
 * @example
 * ```ts
 * import { compileSchema, dateTime } from '@tenantry/crd/schema';
 *
 * console.log(compileSchema(dateTime('When it began.')).accepts('2026-01-31T12:00:00Z')); // true
 * ```
 */
export function dateTime(description: string): Schema<string> {
  return string(description, {
    format: 'date-time',
    maxLength: 64,
    example: '2026-01-31T12:00:00Z',
  });
}

/**
 * `metav1.Duration`, as Go writes it: `1h30m`, `500ms`, `0`.
 *
 * @example
 * ```ts
 * import { compileSchema, duration } from '@tenantry/crd/schema';
 *
 * console.log(compileSchema(duration('How long to wait.')).accepts('1h30m')); // true
 * ```
 */
export function duration(description: string): Schema<string> {
  return string(description, {
    pattern: '^(0|[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)(ns|us|µs|ms|s|m|h))+$',
    maxLength: 64,
    must: "a duration such as '1h30m' or '500ms'",
    example: '1h30m',
  });
}

/**
 * `resource.Quantity`: cores, bytes, counts.
 *
 * @example
 * ```ts
 * import { compileSchema, quantity } from '@tenantry/crd/schema';
 *
 * console.log(compileSchema(quantity('How much memory.')).accepts('2Gi')); // true
 * ```
 */
export function quantity(description: string): Schema<number | string> {
  return intOrString(description, {
    pattern: QUANTITY_PATTERN,
    maxLength: 64,
    must: "a quantity such as '500m', '2Gi' or 10",
    example: '2Gi',
  });
}

/** A condition of an object. */
export interface Condition {
  /** The type of the condition, in CamelCase. */
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** The generation of the object for which it was observed. */
  readonly observedGeneration?: number;
  /** When the status last changed: RFC 3339. */
  readonly lastTransitionTime: string;
  /** The reason as one word in CamelCase for programs. */
  readonly reason: string;
  /** The message for people; may be empty. */
  readonly message: string;
}

/**
 * `metav1.Condition`.
 *
 * Source: https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/1623-standardize-conditions
 *
 * @example
 * ```ts
 * import { condition } from '@tenantry/crd/schema';
 *
 * console.log(condition().required?.length); // 5
 * ```
 *
 * @param description Default: 'What is the case, and since when.'
 */
export function condition(description = 'What is the case, and since when.'): Schema<Condition> {
  return object(description, {
    type: required(
      string('What it is about, in CamelCase.', {
        pattern:
          '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
        maxLength: 316,
        example: 'Ready',
      }),
    ),
    status: required(enumOf('Whether it is the case.', ['True', 'False', 'Unknown'])),
    observedGeneration: integer('The generation of the object that it was found for.', {
      format: 'int64',
      minimum: 0,
    }),
    lastTransitionTime: required(dateTime('Since when the status is what it is.')),
    reason: required(
      string('Why, as one word in CamelCase for programs.', {
        pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
        minLength: 1,
        maxLength: 1024,
        example: 'AsDeclared',
      }),
    ),
    message: required(string('Why, for people; may be empty.', { maxLength: 32_768 })),
  });
}

/**
 * `status.conditions`: one of each type, merged by server-side apply.
 *
 * @example
 * ```ts
 * import { conditions, object } from '@tenantry/crd/schema';
 *
 * const status = object('What is the case with it.', { conditions: conditions() });
 * console.log(status.properties?.['conditions']?.['x-kubernetes-list-map-keys']); // [ 'type' ]
 * ```
 *
 * @param description Default: 'What is the case.'
 */
export function conditions(description = 'What is the case.'): Schema<readonly Condition[]> {
  return listMap(description, 'type', condition(), { maxItems: 32 });
}

/** Requirements on the labels of an object; without any requirement every object matches. */
export interface LabelSelector {
  /** The labels that must have these values. */
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    /** The values of In and NotIn. */
    readonly values?: readonly string[];
  }[];
}

/**
 * `metav1.LabelSelector`.
 *
 * @example
 * ```ts
 * import { compileSchema, labelSelector } from '@tenantry/crd/schema';
 *
 * const pods = compileSchema(labelSelector('The pods that it is about.'));
 * console.log(pods.accepts({ matchLabels: { app: 'redis' } })); // true
 * ```
 *
 * @param description Default: 'A label selector; an empty one selects everything.'
 */
export function labelSelector(
  description = 'A label selector; an empty one selects everything.',
): Schema<LabelSelector> {
  return object(description, {
    matchLabels: labels('Labels that must be there with these values.'),
    matchExpressions: list(
      'Requirements, all of which must hold.',
      object('One requirement.', {
        key: required(string('A label key.', { minLength: 1, maxLength: 317 })),
        operator: required(enumOf('How it compares.', ['In', 'NotIn', 'Exists', 'DoesNotExist'])),
        values: list('The values of In and NotIn.', labelValue('A value.'), { maxItems: 100 }),
      }),
      { maxItems: 16 },
    ),
  });
}

/**
 * `corev1.LocalObjectReference`: an object of the same namespace.
 *
 * @example
 * ```ts
 * import { localObjectReference, object, required } from '@tenantry/crd/schema';
 *
 * const spec = object('The desired state.', {
 *   configRef: required(localObjectReference('The ConfigMap with its settings.')),
 * });
 * console.log(spec.required); // [ 'configRef' ]
 * ```
 */
export function localObjectReference(description: string): Schema<{ readonly name: string }> {
  return object(description, { name: required(objectName('Its name.')) }, { mapType: 'atomic' });
}

/** One entry of a Secret or a ConfigMap. */
export interface KeySelector {
  /** The name of the Secret or the ConfigMap. */
  readonly name: string;
  readonly key: string;
  /** Whether it may be missing. */
  readonly optional?: boolean;
}

/**
 * `corev1.SecretKeySelector`, or that of a ConfigMap: one entry of it.
 *
 * @example
 * ```ts
 * import { keySelector, object, type Input } from '@tenantry/crd/schema';
 *
 * const spec = object('The desired state.', {
 *   passwordFrom: keySelector('Where its password is.'),
 * });
 * const written: Input<typeof spec> = { passwordFrom: { name: 'redis', key: 'password' } };
 * console.log(written.passwordFrom?.key); // password
 * ```
 */
export function keySelector(description: string): Schema<KeySelector> {
  return object(
    description,
    {
      name: required(objectName('The name of the object.')),
      key: required(string('The entry.', { minLength: 1, maxLength: 253 })),
      optional: boolean('Whether it may be missing.'),
    },
    { mapType: 'atomic' },
  );
}

/** Labels and annotations. */
export interface ObjectMetadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * Labels and annotations for an object that is created from another one.
 *
 * @example
 * ```ts
 * import { compileSchema, objectMetadata } from '@tenantry/crd/schema';
 *
 * console.log(compileSchema(objectMetadata()).accepts({ labels: { app: 'a b' } })); // false
 * ```
 *
 * @param description Default: 'Metadata.'
 */
export function objectMetadata(description = 'Metadata.'): Schema<ObjectMetadata> {
  return object(description, {
    labels: labels('Labels.'),
    annotations: annotations('Annotations.'),
  });
}
