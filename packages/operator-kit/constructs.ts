/** What `import ... from '@tenantry/operator-kit/constructs'` gives: operators as cdk8s constructs. */
export { Operator, type OperatorObject, type OperatorProps } from './operator.ts';
export type { CdkPlus } from './plus/module.ts';
