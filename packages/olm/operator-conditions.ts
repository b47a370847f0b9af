/** What `import ... from '@tenantry/olm/operator-conditions'` gives: what an operator reports to OLM. */
export {
  OperatorConditions,
  operatorConditionAccess,
  type OperatorConditionName,
  type ConditionInForce,
  type OperatorConditionsProps,
} from './operator-condition/operator-conditions.ts';
