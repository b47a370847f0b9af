import { isMapping } from '../../kube/mapping.ts';
import type { RightsRule } from './right.ts';

/** Kubernetes has it in every cluster, and it allows all there is. */
const ADMIN: readonly RightsRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** What a role allows that nobody has to bring, where that is known. */
export function builtinRules(role: string): readonly RightsRule[] | undefined {
  return role === 'ClusterRole cluster-admin' ? ADMIN : undefined;
}

/** The rules of a role, as far as they are such. */
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

/** What a binding binds to: `ClusterRole view`. */
export function roleOf(roleRef: unknown): string {
  const { kind, name } = isMapping(roleRef) ? roleRef : {};
  return `${text(kind)} ${text(name)}`;
}

/** A part of a role, as far as it is a list of texts. */
export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** A part of a binding, as far as it is a text. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
