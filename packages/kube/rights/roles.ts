import { isMapping } from '../mapping.ts';
import type { RightsRule } from './rights.ts';

/** The rules of a role that exists in every cluster and allows everything. */
const ADMIN: readonly RightsRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** Returns the rules of a built-in role, if they are known. */
export function builtinRules(role: string): readonly RightsRule[] | undefined {
  return role === 'ClusterRole cluster-admin' ? ADMIN : undefined;
}

/** Returns the valid rules of a role. */
export function rulesOf(value: unknown): RightsRule[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isMapping).map((rule) => ({
    verbs: texts(rule['verbs']),
    apiGroups: texts(rule['apiGroups']),
    resources: texts(rule['resources']),
    resourceNames: texts(rule['resourceNames']),
    nonResourceURLs: texts(rule['nonResourceURLs']),
  }));
}

/** Formats the role of a binding: `ClusterRole view`. */
export function roleOf(roleRef: unknown): string {
  const { kind, name } = isMapping(roleRef) ? roleRef : {};
  return `${text(kind)} ${text(name)}`;
}

/** Returns the texts of a list; empty if it is not a list. */
export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Returns a text; empty if it is not one. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
