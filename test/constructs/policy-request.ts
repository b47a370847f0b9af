import { checkTypes } from '@tenantry/crd/schema/cel/check';
import { ComputedMap, ComputedList, type MapValue } from '@tenantry/crd/schema/cel/collection';
import { Failure } from '@tenantry/crd/schema/cel/failure';
import { parse } from '@tenantry/crd/schema/cel/parse';
import { plan } from '@tenantry/crd/schema/cel/plan';
import { DYN } from '@tenantry/crd/schema/cel/type';
import type { Value } from '@tenantry/crd/schema/cel/value';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import type { Concern } from '../../model/ownership.ts';
import { buildTenantUserPolicy } from '../../model/policies/policy.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { policies } from '../../model/policies/policies.ts';
import type { PlatformSpec } from '../../crds/platform.ts';

/** A request of a user in a namespace. */
export interface Asked {
  readonly object: object & { readonly apiVersion: string; readonly kind: string };
  /** The old object of an update. */
  readonly oldObject?: object;
  readonly resource?: string;
  readonly subResource?: string;
  /** The name in the path: a create of the object itself has none. */
  readonly name?: string;
  readonly user?: string;
  readonly groups?: readonly string[];
}

export interface PolicySpec {
  readonly matchConditions: readonly { readonly name: string; readonly expression: string }[];
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  readonly validations: readonly {
    readonly expression: string;
    readonly messageExpression: string;
  }[];
}

export function policySpec(concern: Concern, platform: PlatformSpec = {}): PolicySpec {
  const [policy] = buildTenantUserPolicy(policies[concern], resolvePlatform(platform));
  return (policy as unknown as { spec: PolicySpec }).spec;
}

const SCOPE = ['object', 'oldObject', 'request', 'namespaceObject', 'variables'];
const types = new Map(SCOPE.map((name) => [name, DYN]));

/**
 * Evaluates a policy with Tenantry's own CEL, without an API server. Returns the message of its
 * refusal, or undefined. It assumes that the requester is not an administrator, and ignores selectors.
 */
export function refusal(
  concern: Concern,
  namespace: KubeObject,
  asked: Asked,
  platform: PlatformSpec = {},
): string | undefined {
  const { matchConditions, variables = [], validations } = policySpec(concern, platform);
  const { object, oldObject, user = 'alice', groups = [], resource = '', ...path } = asked;
  const request = {
    kind: { group: groupOf(object.apiVersion), kind: object.kind },
    resource: { resource },
    userInfo: { username: user, groups: [...groups, 'system:authenticated'] },
    operation: oldObject ? 'UPDATE' : 'CREATE',
    ...path,
  };
  try {
    // It assumes that the requester is not an administrator.
    const rest = matchConditions.filter(({ name }) => name !== 'not-an-administrator');
    const spec = { matchConditions: rest, variables, validations };
    return refusalBy(spec, {
      object,
      oldObject: oldObject ?? null,
      request,
      namespaceObject: namespace,
    });
  } catch (error) {
    if (error instanceof Failure) {
      throw new Error(`${concern}: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** The variables that Kubernetes gives to the expressions of a policy. */
export interface Admission {
  readonly object: object | null;
  readonly oldObject?: object | null;
  readonly request: object;
  readonly namespaceObject: object | null;
}

/**
 * Evaluates a policy with Tenantry's own CEL, ignoring its selectors. Returns the message of its
 * refusal, or undefined.
 */
export function refusalBy(
  { matchConditions, variables = [], validations }: PolicySpec,
  { object, oldObject = null, request, namespaceObject }: Admission,
): string | undefined {
  const given = [object, oldObject, request, namespaceObject].map(valueOf);
  const known: [string, Value][] = [];
  const run = (expression: string): Value => {
    const node = parse(expression);
    checkTypes(node, types);
    return plan(node, SCOPE)([...given, new ComputedMap(known)]);
  };
  if (matchConditions.some(({ expression }) => run(expression) !== true)) return undefined;
  for (const { name, expression } of variables) known.push([name, run(expression)]);
  const broken = validations.find(({ expression }) => run(expression) !== true);
  return broken && String(run(broken.messageExpression));
}

/** Converts JSON to a value of Tenantry's CEL. */
export function valueOf(json: unknown): Value {
  if (Array.isArray(json)) return new ComputedList(json.map(valueOf));
  if (typeof json === 'number') return BigInt(json);
  if (typeof json !== 'object' || json === null) return json as Value;
  const entries = Object.entries(json).filter(([, value]) => value !== undefined);
  return new ComputedMap(
    entries.map(([key, value]): [Value, Value] => [key, valueOf(value)]),
  ) satisfies MapValue;
}
