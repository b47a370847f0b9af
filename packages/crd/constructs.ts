/** What `import ... from '@tenantry/crd/constructs'` gives: definitions and custom objects as cdk8s constructs. */
export {
  CustomResourceDefinition,
  customResource,
  type CustomResourceDefinitionProps,
  type CustomResourceClass,
  type CustomResourceProps,
} from './constructs/custom-resource.ts';
