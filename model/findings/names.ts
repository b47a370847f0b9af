import { defineRules } from './rule.ts';

/** The rules for names, clusters, environments and classes. */
export const nameRules = defineRules([
  {
    id: 'duplicate-tenant',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'Two Tenants have the same name. Rename or remove one of them.',
  },
  {
    id: 'duplicate-class',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'Two TenantClasses have the same name. Rename or remove one of them.',
  },
  {
    id: 'duplicate-namespace',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'Another tenant has the namespace. A name belongs to one tenant on all clusters, so choose another name.',
  },
  {
    id: 'duplicate-object',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'Two settings of a namespace create an object of the same kind and name. Rename one of them.',
  },
  {
    id: 'namespace-name',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'The name of a namespace has more than 63 characters, including the prefix. Shorten the name or `namespacePrefix`.',
  },
  {
    id: 'protected-namespace',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'The namespace belongs to the platform: it is protected, or a network policy of the platform trusts it by name. Choose another name; `releasedNamespaces` of the platform frees some of the protected names.',
  },
  {
    id: 'environment',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'The environment is not in `environments` of the platform file. Use one of them, or add it there.',
  },
  {
    id: 'cluster',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'The cluster is not in `clusters` of the platform file. Use one of them, or add it there.',
  },
  {
    id: 'cluster-allowed',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The class does not allow the cluster. Choose another cluster or class, or add the cluster to `allow.clusters` of the class.',
  },
  {
    id: 'class',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The class that a tenant names, or the default class of the platform file, is not declared or has an error. Name a declared class, or correct the class.',
  },
  {
    id: 'name-missing',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'Several files use an environment, a cluster or a key of `contact` that the platform file does not have. Add it to the platform file.',
  },
  {
    id: 'name-unused',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'Nobody uses a name of the platform file or of a class, and several files use a similar name that is not declared. Correct the spelling here.',
  },
  {
    id: 'class-allowed',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      "`allowedTenants` of the class does not select the tenant. Choose another class, or add the tenant's name or label to `allowedTenants`.",
  },
  {
    id: 'preset',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The class has no preset of this name. Use one of its presets, or add it to the class.',
  },
  {
    id: 'object-name',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The name of an object is invalid, or too long after placeholders are replaced. Use a DNS subdomain of at most 253 characters.',
  },
  {
    id: 'environment-spelling',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The class has settings for an environment that differs only in upper and lower case. Spell the environment as the class does, or its settings do not apply.',
  },
  {
    id: 'extends',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The class extends itself, a class that is not declared, or a class that extends another one. Name a declared class that extends none.',
  },
  {
    id: 'exception-conflict',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'Two exceptions of a class set different values for the same tenant or namespace. Keep one of the values.',
  },
  {
    id: 'exception-tenant',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'No tenant of the class has a name in `tenants` of an exception. Correct the name, or remove it.',
  },
  {
    id: 'exception-namespace',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A namespace of an exception belongs to none of its tenants. Correct the name, or remove it.',
  },
  {
    id: 'exception-unused',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A setting of an exception changes nothing for some or all of its tenants. Remove the setting, the tenant or the exception.',
  },
]);
