import { celPodTemplate } from './pod-template.ts';
import type { AllowList } from './lists.ts';
import { celNames } from './name-path.ts';

/** A variable of an admission policy. */
interface NameVariable {
  readonly name: string;
  readonly expression: string;
}

/**
 * Returns the variables of a policy for the names in the new object, or in the one before an update, which are none when
 * an object is created.
 */
export function buildNameVariables(
  name: 'names' | 'before',
  { inPods = [], inObjects = [] }: Pick<AllowList, 'inPods' | 'inObjects'>,
): NameVariable[] {
  const object = name === 'names' ? 'dyn(object)' : 'dyn(oldObject)';
  const onUpdate = (expression: string, onCreate: string): string =>
    name === 'names' ? expression : `request.operation == 'CREATE' ? ${onCreate} : ${expression}`;
  const pod = `${name}Pod`;
  const found = [
    ...inPods.map((path) => celNames(`variables.${pod}`, path)),
    ...inObjects.map((path) => celNames(object, path)),
  ];
  const names = { name, expression: onUpdate(found.map((one) => `(${one})`).join(' + '), '[]') };
  if (inPods.length === 0) return [names];
  const spec = `(${celPodTemplate(object)}).?spec.orValue({})`;
  return [{ name: pod, expression: onUpdate(spec, '{}') }, names];
}
