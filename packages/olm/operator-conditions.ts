/** What `import ... from '@tenantry/olm/operator-conditions'` gives: what an operator reports to OLM. */
export {
  operatorConditionAccess,
  type OperatorConditionName,
} from './operator-condition/operator-condition-access.ts';
export {
  OperatorConditions,
  type ConditionInForce,
  type OperatorConditionsProps,
} from './operator-condition/operator-conditions.ts';
