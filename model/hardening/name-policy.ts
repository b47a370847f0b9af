import type { KubeObject } from '@tenantry/kube/object';
import type { AllowList, NamingKind } from '../allow-lists/lists.ts';
import { buildNameVariables } from '../allow-lists/name-variables.ts';
import {
  buildValidatingPolicy,
  type NamedExpression,
  type ResourceRule,
  type Validation,
} from './policy.ts';

interface NamePolicyInput {
  readonly name: string;
  readonly namespaceSelector: object;
  /** What has names, and where. */
  readonly list: Pick<AllowList, 'kinds' | 'inPods' | 'inObjects'>;
  /** Variables that `isAllowed` and `message` read. @default - none */
  readonly variables?: readonly NamedExpression[];
  /** CEL that tests whether a name `n` is allowed. */
  readonly isAllowed: string;
  /** CEL for the message; `variables.refused` has the names that are not allowed. */
  readonly message: string;
  /** Further validations. @default - none */
  readonly validations?: readonly Validation[];
}

/**
 * Builds a policy about names in objects, and its binding. Objects are checked when they are created, and on an update
 * for names that they did not have before.
 */
export function buildNamePolicy({
  name,
  namespaceSelector,
  list,
  variables = [],
  isAllowed,
  message,
  validations = [],
}: NamePolicyInput): KubeObject[] {
  return buildValidatingPolicy({
    name,
    namespaceSelector,
    rules: list.kinds.map(buildRule),
    variables: [
      ...variables,
      ...buildNameVariables('names', list),
      ...buildNameVariables('before', list),
      {
        name: 'refused',
        expression: `variables.names.filter(n, !(n in variables.before) && !(${isAllowed}))`,
      },
    ],
    validations: [
      { expression: 'size(variables.refused) == 0', messageExpression: message },
      ...validations,
    ],
  });
}

/** Selects what creates or changes objects of a kind. */
function buildRule({ group, resource }: NamingKind): ResourceRule {
  return {
    apiGroups: [group],
    resources: [resource],
    operations: resource.includes('/') ? ['UPDATE'] : ['CREATE', 'UPDATE'],
  };
}
