/** What `import ... from '@tenantry/olm/operator-conditions'` gives: what an operator reports to OLM. */
export {
  operatorConditionAccess,
  type OperatorConditionName,
} from './operatorcondition/operator-condition-access.ts';
export {
  OperatorConditions,
  type ConditionInForce,
  type OperatorConditionsProps,
} from './operatorcondition/operator-conditions.ts';
