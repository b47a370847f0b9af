import type { ApiObjectProps } from 'cdk8s';
import { checkTypes } from '@tenantry/crd/schema/cel/check';
import { parse } from '@tenantry/crd/schema/cel/parse';
import { plan } from '@tenantry/crd/schema/cel/plan';
import { DYN } from '@tenantry/crd/schema/cel/type';
import { valueOf } from './policy-request.ts';

/** The variables that Kubernetes gives to the expressions of a policy. */
export interface Request {
  readonly object: object;
  readonly oldObject?: object;
  readonly params?: object;
  readonly operation?: 'CREATE' | 'UPDATE';
  readonly user?: string;
}

interface Spec {
  readonly matchConditions?: readonly { readonly expression: string }[];
  readonly validations: readonly { readonly expression: string; readonly message: string }[];
}

const names = ['object', 'oldObject', 'params', 'request'];
const types = new Map(names.map((name) => [name, DYN]));

/**
 * Evaluates a ValidatingAdmissionPolicy with Tenantry's own CEL, ignoring its selectors. Returns its
 * refusals.
 */
export function refusals(policy: ApiObjectProps, asked: Request): string[] {
  const { matchConditions = [], validations } = (policy as unknown as { spec: Spec }).spec;
  const { object, oldObject = null, params = null, operation = 'CREATE', user = 'alice' } = asked;
  const request = { operation, userInfo: { username: user, groups: [] } };
  const values = [object, oldObject, params, request].map(valueOf);
  const holds = ({ expression }: { expression: string }): boolean => {
    const node = parse(expression);
    checkTypes(node, types);
    return plan(node, names)(values) === true;
  };
  if (!matchConditions.every(holds)) return [];
  return validations.filter((one) => !holds(one)).map(({ message }) => message);
}
