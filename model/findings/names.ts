import { defineRules } from './rule.ts';

/** The rules for names, clusters, environments and classes. */
export const nameRules = defineRules([
  {
    id: 'duplicate-tenant',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: "a tenant's name is declared once",
  },
  {
    id: 'duplicate-class',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: "a class' name is declared once",
  },
  {
    id: 'duplicate-namespace',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'a namespace belongs to one tenant, on all clusters',
  },
  {
    id: 'duplicate-object',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'no two settings of a namespace create the same object',
  },
  {
    id: 'namespace-name',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: "a namespace's name has at most 63 characters, including the prefix",
  },
  {
    id: 'protected-namespace',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'the namespace does not belong to the platform: it is not protected, and no network policy of the platform trusts it by name',
  },
  {
    id: 'environment',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: "the environment is in the platform's list, if there is one",
  },
  {
    id: 'cluster',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'the clusters are in the platform file',
  },
  {
    id: 'cluster-allowed',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'the class allows the cluster (`allow.clusters`)',
  },
  {
    id: 'class',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'the class is declared; so is the default class in the platform file',
  },
  {
    id: 'name-missing',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'the platform file has each environment, cluster and key of `contact` that several files use',
  },
  {
    id: 'name-unused',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'a name in the platform file or of a class is in use, if several files use a similar name that is not declared',
  },
  {
    id: 'class-allowed',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'the class allows the tenant (`allowedTenants`)',
  },
  {
    id: 'preset',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'the class has the preset',
  },
  {
    id: 'object-name',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'the name of an object is valid, also after placeholders are replaced',
  },
  {
    id: 'environment-spelling',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description: 'an environment is spelled as in the class, including case',
  },
  {
    id: 'extends',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'the class that a class extends is declared, is another class, and extends none itself',
  },
  {
    id: 'exception-conflict',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'no two exceptions of a class contradict each other for one tenant or one namespace',
  },
  {
    id: 'exception-tenant',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description: 'the tenants of an exception use its class',
  },
  {
    id: 'exception-namespace',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description: 'the namespaces of an exception belong to its tenants',
  },
  {
    id: 'exception-unused',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description: 'each setting of an exception changes something, for each of its tenants',
  },
]);
