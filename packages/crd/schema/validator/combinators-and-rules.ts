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

  const acceptsAny: Check = (value, doubts) =>
    anyOf.length === 0 || countAccepting(anyOf, value, 1, doubts) > 0;
  const acceptsOne: Check = (value, doubts) =>
    oneOf.length === 0 || countAccepting(oneOf, value, 2, doubts) === 1;
  const acceptsNot: Check = (value, doubts) => !not || isRefused(not, value, doubts);
  const accepts: Check = (value, doubts) =>
    value === null ||
    (allOf.every((node) => node.accepts(value, doubts)) &&
      acceptsAny(value, doubts) &&
      acceptsOne(value, doubts) &&
      acceptsNot(value, doubts));
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
 * Counts the schemas that accept the value, up to `enough`. If doubtful ones would make a difference, returns one if
 * doubt counts as valid, and zero otherwise.
 */
function countAccepting(
  nodes: readonly SchemaNode[],
  value: unknown,
  enough: number,
  doubts: Undetermined,
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
  return passes(reasons, doubts) ? 1 : 0;
}

function isRefused(node: SchemaNode, value: unknown, doubts: Undetermined): boolean {
  const own = new UndeterminedReasons();
  if (!node.accepts(value, own)) return true;
  return !own.isEmpty && passes(own, doubts);
}

function passes(reasons: UndeterminedReasons, doubts: Undetermined): boolean {
  return reasons.all().every(({ rule, reason }) => doubts.add(rule, reason));
}

/** Compiles the rules of a schema when the first value is checked; undefined if there are none. */
export function compileNodeRules(schema: JSONSchemaProps, root: boolean): NodeRules | undefined {
  if (!schema['x-kubernetes-validations']?.length) return undefined;
  let compiled: readonly CompiledRule[] | undefined;
  const rules = (): readonly CompiledRule[] => (compiled ??= compileRules(schema, { root }));
  return {
    accepts(self, doubts) {
      return rules().every((rule) => {
        const finding = rule.evaluate(self);
        if (!finding) return true;
        const fullFinding = inFull(rule, finding);
        return (
          fullFinding.severity === 'not-checked' &&
          doubts.add(fullFinding.rule, fullFinding.message)
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
