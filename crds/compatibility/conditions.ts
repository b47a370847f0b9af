import type { JSONSchemaProps } from '../schema/jsonschema.ts';
import { same, told } from './change.ts';

/**
 * What a condition's fields say where they are as Kubernetes has them.
 *
 * Source: metav1.Condition of k8s.io/apimachinery/pkg/apis/meta/v1
 */
const expected: Readonly<Record<string, JSONSchemaProps>> = {
  type: {
    maxLength: 316,
    pattern:
      '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
  },
  status: { enum: ['True', 'False', 'Unknown'] },
  observedGeneration: { minimum: 0 },
  lastTransitionTime: { type: 'string', format: 'date-time' },
  reason: { maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
  message: { maxLength: 32768 },
};

/** In what a schema of conditions is not the one of Kubernetes: `must have ...`. */
export function conditionProblems(items: JSONSchemaProps | undefined): string[] {
  return Object.entries(expected).flatMap(([name, wanted]) => {
    const { properties } = items ?? {};
    const field = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!field) return [`must have the field ${name} of a condition, got none`];
    return Object.entries(wanted).flatMap(([key, value]) => {
      const got: unknown = field[key as keyof JSONSchemaProps];
      const isRight =
        Array.isArray(value) && Array.isArray(got)
          ? same(value.toSorted(), got.toSorted())
          : same(value, got);
      return isRight
        ? []
        : [`must have ${key} ${told(value)} in its field ${name}, got ${told(got)}`];
    });
  });
}
