/** What `import ... from 'tenantry/schema'` gives: the language in which schemas are written. */
export * from './schema/schema.ts';
export * from './kubernetes.ts';
export { annotations, dnsLabel, labels, labelValue, objectName } from './names.ts';
