import type { Finding } from '@tenantry/kube/finding';
import type { JSONSchemaProps } from '../json-schema.ts';
import {
  UndeterminedReasons,
  type Undetermined,
  type Check,
  type Combinators,
  type SchemaNode,
  type NodeRules,
} from './schema-node.ts';
import { compileRules, type CompiledRule } from '../cel.ts';

/** Compiles the combinators of a schema; undefined if it has none. */
export function compileCombinators(
  schema: JSONSchemaProps,
  nodeOf: (schema: JSONSchemaProps) => SchemaNode,
): Combinators | undefined {
  const [allOf = [], oneOf = []] = [schema.allOf, schema.oneOf].map((list) => list?.map(nodeOf));
  const isIntOrString = isPlainIntOrString(schema);
  const anyOf = isIntOrString ? [] : (schema.anyOf ?? []).map(nodeOf);
  const not = schema.not && nodeOf(schema.not);
  const isAsked = [allOf, anyOf, oneOf].some((nodes) => nodes.length > 0) || not !== undefined;
  if (!isAsked && !isIntOrString) return undefined;

  const acceptsAny: Check = (value, undetermined) =>
    anyOf.length === 0 || countAccepting(anyOf, value, 1, undetermined) > 0;
  const acceptsOne: Check = (value, undetermined) =>
    oneOf.length === 0 || countAccepting(oneOf, value, 2, undetermined) === 1;
  const acceptsNot: Check = (value, undetermined) => !not || isRefused(not, value, undetermined);
  const accepts: Check = (value, undetermined) =>
    value === null ||
    (allOf.every((node) => node.accepts(value, undetermined)) &&
      acceptsAny(value, undetermined) &&
      acceptsOne(value, undetermined) &&
      acceptsNot(value, undetermined));
  return {
    allOf,
    anyOf,
    oneOf,
    isIntOrString,
    accepts: isAsked ? accepts : undefined,
    acceptsAny,
    acceptsOne,
    acceptsNot,
  };
}

function isPlainIntOrString({ anyOf, ...schema }: JSONSchemaProps): boolean {
  if (!schema['x-kubernetes-int-or-string'] || anyOf?.length !== 2) return false;
  const types = anyOf.map((one) => (Object.keys(one).join() === 'type' ? one.type : ''));
  return types.toSorted().join() === 'integer,string';
}

/**
 * Counts the schemas that accept the value, up to `enough`. If undetermined ones would make a difference,
 * returns one if these count as valid, and zero otherwise.
 */
function countAccepting(
  nodes: readonly SchemaNode[],
  value: unknown,
  enough: number,
  undetermined: Undetermined,
): number {
  const reasons = new UndeterminedReasons();
  let certain = 0;
  for (const node of nodes) {
    const own = new UndeterminedReasons();
    if (!node.accepts(value, own)) continue;
    if (own.isEmpty) certain += 1;
    else for (const { rule, reason } of own.all()) reasons.add(rule, reason);
    if (certain === enough) return certain;
  }
  if (reasons.isEmpty) return certain;
  return passes(reasons, undetermined) ? 1 : 0;
}

function isRefused(node: SchemaNode, value: unknown, undetermined: Undetermined): boolean {
  const own = new UndeterminedReasons();
  if (!node.accepts(value, own)) return true;
  return !own.isEmpty && passes(own, undetermined);
}

function passes(reasons: UndeterminedReasons, undetermined: Undetermined): boolean {
  return reasons.all().every(({ rule, reason }) => undetermined.add(rule, reason));
}

/** Compiles the rules of a schema when the first value is checked; undefined if there are none. */
export function compileNodeRules(schema: JSONSchemaProps, root: boolean): NodeRules | undefined {
  if (!schema['x-kubernetes-validations']?.length) return undefined;
  let compiled: readonly CompiledRule[] | undefined;
  const rules = (): readonly CompiledRule[] => (compiled ??= compileRules(schema, { root }));
  return {
    accepts(self, undetermined) {
      return rules().every((rule) => {
        const finding = rule.evaluate(self);
        if (!finding) return true;
        const fullFinding = inFull(rule, finding);
        return (
          fullFinding.severity === 'not-checked' &&
          undetermined.add(fullFinding.rule, fullFinding.message)
        );
      });
    },
    findings(self, old, isUnchanged) {
      return rules()
        .filter((rule) => !isUnchanged || rule.usesOldSelf)
        .flatMap((rule) => {
          const finding = rule.evaluate(self, old);
          return finding ? [{ finding: inFull(rule, finding), usesOldSelf: rule.usesOldSelf }] : [];
        });
    },
  };
}

/** Adds the text of the rule to a finding that the rule was not evaluated. */
function inFull({ rule }: CompiledRule, finding: Finding): Finding {
  if (finding.severity === 'error') return finding;
  return { ...finding, message: `the rule ${rule.rule} was not evaluated: ${finding.message}` };
}
