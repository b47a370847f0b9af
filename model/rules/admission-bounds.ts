import { isMapping, listAt } from '@tenantry/kube/mapping';
import { groupOf } from '@tenantry/kube/object';
import { findPodTemplate, listPodSettings } from '@tenantry/kube/pod-templates';
import { formatList, show, type Path } from '@tenantry/kube/problem';
import {
  allowsCrossNamespaceAffinity,
  allowsPriority,
  allowsToleration,
  resolveMaxTerminationSeconds,
  listAllowedPriorityClasses,
  formatTolerations,
  type Toleration,
} from '../classes/allowances.ts';
import type { TenantClassDeclaration } from '../declaration.ts';
import { defineObjectCheck } from './check.ts';
import { findServiceFaults } from './service-bounds.ts';

/** A problem with the settings of a pod, and its place. */
interface Fault {
  readonly at: Path;
  readonly message: string;
  readonly rule: NeighborRule;
}

const neighborRules = ['pod-priority', 'pod-affinity', 'self-service'] as const;
type NeighborRule = (typeof neighborRules)[number];

/**
 * Validates what a declared object does to the pods and nodes of others. Quotas and admission policies refuse the same
 * in the cluster, where its pods would be missing without a message in Git. It checks the pod template of each kind of
 * Kubernetes. For custom resources it only warns, because only their operators know how they use the settings.
 */
export const neighbors = defineObjectCheck(neighborRules, ({ manifest, klass }, report) => {
  const template = findPodTemplate(manifest);
  const ofPod = (path: Path): Path => (template ? [...path, 'spec'] : path);
  const settings = template ? [template] : listPodSettings(manifest);
  for (const { path, spec } of settings) {
    for (const { at, message, rule } of [
      ...findPriorityFaults(spec, klass),
      ...findAffinityFaults(spec, klass),
      ...findPlacementFaults(spec, klass),
    ]) {
      report([...ofPod(path), ...at], message, rule, { ...(!template && { severity: 'warning' }) });
    }
  }
});

type Spec = Readonly<Record<string, unknown>>;

function* findPriorityFaults(
  spec: Spec,
  { name, spec: klass }: TenantClassDeclaration,
): Generator<Fault> {
  const priority = spec['priorityClassName'];
  if (typeof priority !== 'string' || priority === '' || allowsPriority(klass, priority)) return;
  yield {
    at: ['priorityClassName'],
    message: `must be a PriorityClass that class ${name} allows in allow.priorityClasses (${formatList(listAllowedPriorityClasses(klass)) || 'none'}), got ${show(priority)}`,
    rule: 'pod-priority',
  };
}

/**
 * Finds affinity terms about pods of other namespaces. An empty namespace selector selects all namespaces.
 * Source: k8s.io/kubernetes pkg/quota/v1/evaluator/core crossNamespacePodAffinityTerm
 */
function* findAffinityFaults(
  spec: Spec,
  { name, spec: klass }: TenantClassDeclaration,
): Generator<Fault> {
  if (allowsCrossNamespaceAffinity(klass)) return;
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    for (const [when, inner] of affinityTerms) {
      const list = ['affinity', kind, when];
      for (const [i, entry] of listAt(spec, list).entries()) {
        const at: Path = [...list, i, ...inner];
        const term = inner.length > 0 && isMapping(entry) ? entry[inner[0]!] : entry;
        const crossing = isMapping(term) ? findCrossing(term) : undefined;
        if (!crossing) continue;
        yield {
          at: [...at, crossing.field],
          message: `must be left out, as affinity to pods of other namespaces is not in allow.crossNamespaceAffinity of class ${name}, got ${crossing.got}`,
          rule: 'pod-affinity',
        };
      }
    }
  }
}

const affinityTerms: readonly (readonly [when: string, inner: readonly string[]])[] = [
  ['requiredDuringSchedulingIgnoredDuringExecution', []],
  ['preferredDuringSchedulingIgnoredDuringExecution', ['podAffinityTerm']],
];

function findCrossing({
  namespaces,
  namespaceSelector,
}: Spec): { readonly field: string; readonly got: string } | undefined {
  if (Array.isArray(namespaces) && namespaces.length > 0) {
    return { field: 'namespaces', got: formatList(namespaces.map(show)) };
  }
  if (!isMapping(namespaceSelector)) return undefined;
  return { field: 'namespaceSelector', got: 'a selector of namespaces' };
}

/** Finds what the admission policy about pods refuses, unless the class disables it. */
function* findPlacementFaults(spec: Spec, klass: TenantClassDeclaration): Generator<Fault> {
  if (klass.spec.selfService?.pods?.policy === 'Disabled') return;
  const rule = 'self-service';
  const node = spec['nodeName'];
  if (node !== undefined && node !== '') {
    const message = `must be left out: the scheduler chooses the node, got ${show(node)}`;
    yield { at: ['nodeName'], message, rule };
  }
  const open = formatTolerations(klass.spec);
  for (const [i, toleration] of listAt(spec, ['tolerations']).entries()) {
    if (!isMapping(toleration) || allowsToleration(klass.spec, toleration as Toleration)) continue;
    const message = `must tolerate a taint that class ${klass.name} opens in allow.tolerations (${formatList(open) || 'none'}), got ${show(describeToleration(toleration))}`;
    yield { at: ['tolerations', i], message, rule };
  }
  yield* findGracePeriodFaults(spec, klass);
}

function* findGracePeriodFaults(
  spec: Spec,
  { name, spec: klass }: TenantClassDeclaration,
): Generator<Fault> {
  const seconds = spec['terminationGracePeriodSeconds'];
  const most = resolveMaxTerminationSeconds(klass);
  if (typeof seconds !== 'number' || seconds <= most) return;
  yield {
    at: ['terminationGracePeriodSeconds'],
    message: `must be at most ${most} (ceilings.terminationSeconds of class ${name}), got ${show(seconds)}`,
    rule: 'self-service',
  };
}

/** Formats a toleration: `key=value`, `key` for any value, and `*` for every taint. */
function describeToleration({ key, operator, value }: Spec): string {
  const taint = typeof key === 'string' && key !== '' ? key : '*';
  const isEqual = (operator ?? 'Equal') === 'Equal';
  return isEqual && typeof value === 'string' && value !== '' ? `${taint}=${value}` : taint;
}

/**
 * Applies the bounds of the admission policies (model/policies) to the objects that a tenant declares,
 * because the policies exempt their applier. Names, bindings and network policies have rules of their own, and so have
 * pods (`neighbors`).
 */
export const selfService = defineObjectCheck(['self-service'], ({ manifest, klass }, report) => {
  if (groupOf(manifest.apiVersion) !== '') return;
  const { tokenSecrets } = klass.spec.selfService ?? {};
  const refuse = (at: Path, message: string): void => report(at, message, 'self-service');
  for (const { at, message } of findServiceFaults(manifest, klass)) refuse(at, message);
  const isToken = manifest['type'] === 'kubernetes.io/service-account-token';
  if (manifest.kind === 'Secret' && isToken && tokenSecrets?.policy !== 'Disabled') {
    refuse(['type'], 'must be a type other than that of a token that never expires');
  }
});
