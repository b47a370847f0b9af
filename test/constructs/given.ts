import type { Finding } from '@tenantry/kube/finding';
import { readDeclarations } from '../../crds/declarations.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { formatPath, formatProblem } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { validate } from '@tenantry/crd/schema/validate';
import { platform as platformKind, type PlatformSpec } from '../../crds/platform.ts';
import { tenant as tenantKind, type TenantSpec } from '../../crds/tenant.ts';
import { tenantClass as classKind, type TenantClassSpec } from '../../crds/tenant-class.ts';
import type { KnownDefinition } from '../../model/declaration.ts';
import { desired, type DesiredTenant } from '../../model/desired.ts';
import { Fleet } from '../../model/fleet.ts';
import { applyPlatformDefaults, resolvePlatform } from '../../model/platform.ts';

/** A tenant `acme` of a class `standard`, with the settings of a test. */
export interface Given {
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly tenant?: TenantSpec;
  readonly klass?: TenantClassSpec;
  readonly platform?: PlatformSpec;
  /** The day for which is rendered. @default - not known */
  readonly date?: string;
  /** The definitions of the platform's `crdFiles`. */
  readonly definitions?: readonly KnownDefinition[];
}

/** Renders the tenant. @throws when a spec violates its schema, which these tests do not cover */
export function desiredOf(given: Given): DesiredTenant {
  const { name = 'acme', labels, annotations, tenant = {}, klass = {}, platform = {} } = given;
  fits(tenantKind.spec, tenant);
  fits(classKind.spec, klass);
  fits(platformKind.spec, platform);
  return desired(
    { name, ...(labels && { labels }), ...(annotations && { annotations }), spec: tenant },
    { name: 'standard', spec: klass },
    {
      ...applyPlatformDefaults(platform, given.definitions),
      ...(given.date !== undefined && { date: given.date }),
    },
  );
}

/** @throws when a spec violates its schema */
export function fits(schema: JSONSchemaProps, spec: object): void {
  const [wrong] = validate(schema, spec);
  if (wrong) throw new Error(`${formatPath(wrong.path)} ${wrong.message}`);
}

/** Formats errors as `path message`, and warnings with the prefix `warning`. */
export function collectFindings(given: Given): string[] {
  return desiredOf(given).findings.map(text);
}

/** Formats the errors, without warnings. */
export function refused(given: Given): string[] {
  return collectFindings(given).filter((one) => !one.startsWith('warning '));
}

const text = ({ path, message, severity }: Finding): string =>
  `${severity === 'error' ? '' : 'warning '}${formatPath(path)} ${message}`;

/** Returns the objects of a namespace of a valid tenant; by default of the first namespace. */
export function objectsOf(given: Given, namespace?: string): readonly KubeObject[] {
  const { namespaces, findings } = desiredOf(given);
  const wrong = findings.filter(({ severity }) => severity === 'error');
  if (wrong.length > 0) throw new Error(wrong.map(text).join('\n'));
  const found = namespaces.find(({ name }) => name === (namespace ?? name));
  if (!found) throw new Error(`there is no namespace ${namespace}`);
  return found.objects;
}

/** Returns the objects of one kind in a namespace. */
export function ofKind(given: Given, kind: string, namespace?: string): readonly KubeObject[] {
  return objectsOf(given, namespace).filter((object) => object.kind === kind);
}

export const namesOf = (objects: readonly KubeObject[]): string[] =>
  objects.map(({ metadata }) => metadata.name);

/** Returns the bounds of the quota named `tenant-quota`, if there is one. */
export function hardOf(given: Given, namespace?: string): Record<string, string> | undefined {
  const quotas = ofKind(given, 'ResourceQuota', namespace);
  const quota = quotas.find(({ metadata }) => metadata.name === 'tenant-quota');
  return (quota?.['spec'] as { hard: Record<string, string> } | undefined)?.hard;
}

export function specOf<T = Record<string, unknown>>(object: KubeObject | undefined): T {
  return object?.['spec'] as T;
}

/** Formats every binding of a namespace as `kind name <- subject, ...`. */
export function bindingsOf(given: Given, namespace?: string): string[] {
  return ofKind(given, 'RoleBinding', namespace).map((binding) => {
    const { kind, name } = binding['roleRef'] as { kind: string; name: string };
    return `${binding.metadata.name}: ${kind} ${name} <- ${subjectsOf(binding).join(', ')}`;
  });
}

export function subjectsOf(binding: KubeObject): string[] {
  const subjects = binding['subjects'] as { kind: string; name: string; namespace?: string }[];
  return subjects.map(({ kind, name, namespace }) =>
    namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`,
  );
}

/**
 * Returns the errors in files of Tenants and TenantClasses as the generator reports them, without a
 * folder on disk.
 */
export function refusals(files: Readonly<Record<string, string>>, platform: PlatformSpec = {}) {
  const fleet = new Fleet(resolvePlatform(platform));
  const problems: string[] = [];
  const read = Object.entries(files).flatMap(([file, content]) => {
    const result = readDeclarations(file, content, [tenantKind, classKind], (path) => {
      throw new Error(`there is no ${path}`);
    });
    problems.push(...result.problems.map(formatProblem));
    return result.declared.map((declared) => ({ file, declared }));
  });
  for (const { declared } of read) if (declared.kind === 'TenantClass') fleet.classes.add(declared);
  for (const { file, declared } of read) {
    if (declared.kind !== 'Tenant') continue;
    for (const finding of fleet.add(declared, file).findings) {
      problems.push(formatProblem(declared.problem(finding)));
    }
  }
  return problems;
}

const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];

/** A tenant with an object of every kind that Tenantry renders, and a ConfigMap in `resources`. */
export const everything: Given = {
  tenant: {
    access: { admins: { users: ['a'] }, roles: [{ name: 'r', rules, users: ['a'] }] },
    serviceAccounts: [{ name: 'a' }],
    quota: { scoped: [{ name: 'extra', hard: { pods: 1 }, scopes: ['BestEffort' as const] }] },
    network: { policies: [{ name: 'raw', spec: {} }] },
    disruptionBudgets: [{ name: 'a', selector: { matchLabels: { a: 'b' } }, minAvailable: 1 }],
    resources: [{ manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } } }],
  },
};
