/** What `import ... from 'tenantry/schema'` gives: the language in which schemas are written. */
export * from './language/builders.ts';
export * from './language/kubernetes.ts';
export { annotations, dnsLabel, labels, labelValue, objectName } from './language/metadata.ts';
