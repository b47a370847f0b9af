import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { condition } from '../../schema/language.ts';
import { isDeepEqual } from '../../kube/equality.ts';
import { formatValue } from './change.ts';

const kubernetes = condition();

/** The keywords of a condition's fields that must be as in Kubernetes. */
const asked = {
  type: ['maxLength', 'pattern'],
  status: ['enum'],
  observedGeneration: ['minimum'],
  lastTransitionTime: ['type', 'format'],
  reason: ['maxLength', 'pattern'],
  message: ['maxLength'],
} as const;

/** Returns how a schema of conditions differs from the one of Kubernetes, as `must have ...`. */
export function conditionProblems(items: JSONSchemaProps | undefined): string[] {
  return Object.entries(asked).flatMap(([name, keywords]) => {
    const { properties } = items ?? {};
    const field = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!field) return [`must have the field ${name} of a condition, got none`];
    const wanted: JSONSchemaProps = kubernetes.properties![name]!;
    return keywords.flatMap((key) => {
      const [value, got]: unknown[] = [wanted[key], field[key]];
      const isRight =
        Array.isArray(value) && Array.isArray(got)
          ? isDeepEqual(value.toSorted(), got.toSorted())
          : isDeepEqual(value, got);
      return isRight
        ? []
        : [`must have ${key} ${formatValue(value)} in its field ${name}, got ${formatValue(got)}`];
    });
  });
}
