import { isMapping, valueAt } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import { renderArgoCDObjects } from '../objects/argocd-objects.ts';
import { createNamespaceRenderer } from '../objects/tenant-objects.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';
import type { ExplainedTenant } from './explain-tenant.ts';
import { listLeaves, type ExplainedValue } from './explained-value.ts';
import { listVariants } from './variants.ts';

/** One field of a rendered object, and the effective values that determine it. */
export interface ExplainedField {
  readonly path: Path;
  readonly value: unknown;
  /** The values whose change changes the field. Without any, Tenantry sets it for every tenant. */
  readonly causes: readonly ExplainedValue[];
}

/** A rendered object, and why each of its fields has its value. */
export interface ExplainedObject {
  readonly cluster: string | undefined;
  readonly object: KubeObject;
  /** The values of which another one leaves the object out. */
  readonly causes: readonly ExplainedValue[];
  readonly fields: readonly ExplainedField[];
}

/**
 * Explains the fields of the rendered objects that match. It renders again with each effective value changed, by the
 * same code: a value is a cause of the fields that change. So an explanation cannot differ from what is rendered.
 */
export function explainObjects(
  explained: ExplainedTenant,
  matches: (object: KubeObject) => boolean,
): ExplainedObject[] {
  const { resolved, values } = explained;
  const ofNamespaces = resolved.namespaces.flatMap((namespace, i) => {
    const render = (tenant: ResolvedTenant): readonly KubeObject[] =>
      createNamespaceRenderer(tenant)(tenant.namespaces[i]!);
    const ofPlatform = explainPlatform(resolved, namespace.cluster);
    const candidates = [...values, ...explained.namespaces[i]!.values, ...ofPlatform];
    const found = explainRendered(resolved, render, candidates, matches);
    return found.map((one) => ({ cluster: namespace.cluster, ...one }));
  });
  const everything = [...values, ...explained.namespaces.flatMap((one) => one.values)];
  const ofArgoCD = explainRendered(resolved, renderArgoCDObjects, everything, matches);
  return [...ofNamespaces, ...ofArgoCD.map((one) => ({ cluster: undefined, ...one }))];
}

/** Lists all objects that are rendered for a tenant and that can be explained. */
export function listRenderedObjects(resolved: ResolvedTenant): readonly KubeObject[] {
  return [
    ...resolved.namespaces.flatMap(createNamespaceRenderer(resolved)),
    ...renderArgoCDObjects(resolved),
  ];
}

/** Explains what the platform file decides about the objects of a cluster. */
function explainPlatform({ platform }: ResolvedTenant, cluster: string): ExplainedValue[] {
  const { clusters, declared, metadataKeys } = platform;
  const index = clusters.findIndex(({ name }) => name === cluster);
  const locate = (own: Path, shared: Path): Path => {
    const at = [own, shared].find((path) => valueAt(declared, path) !== undefined);
    return at ? ['platform', 'spec', ...at] : ['builtin', 'platform', ...shared];
  };
  const ofCluster = (['ingressControllers', 'monitoring', 'dns', 'dnsPorts'] as const).flatMap(
    (field) =>
      listLeaves(clusters[index]?.[field], { splitsLists: true }).map(
        ({ path, slot, value }): ExplainedValue => ({
          path: ['platform', field, ...path],
          value,
          origin: locate(['clusters', index, field, ...slot], [field, ...slot]),
          slot: ['platform', 'clusters', index, field, ...slot],
        }),
      ),
  );
  const keys = Object.entries(metadataKeys).map(([key, value]): ExplainedValue => {
    const at = ['metadataKeys', key];
    return { path: ['platform', ...at], value, origin: locate(at, at), slot: ['platform', ...at] };
  });
  return [...ofCluster, ...keys];
}

function explainRendered(
  resolved: ResolvedTenant,
  render: (tenant: ResolvedTenant) => readonly KubeObject[],
  candidates: readonly ExplainedValue[],
  matches: (object: KubeObject) => boolean,
): Omit<ExplainedObject, 'cluster'>[] {
  const objects = render(resolved);
  const explained = objects.filter(matches).map((object) => ({
    object,
    causes: [] as ExplainedValue[],
    fields: listFields(object).map(({ path, value }) => ({
      path,
      value,
      causes: [] as ExplainedValue[],
    })),
  }));
  if (explained.length === 0) return [];
  for (const candidate of candidates) {
    for (const changed of renderVariants(resolved, candidate, render)) {
      for (const { object, fields, causes } of explained) {
        const counterpart = findCounterpart(object, objects, changed);
        if (!counterpart) {
          if (!causes.includes(candidate)) causes.push(candidate);
          continue;
        }
        for (const field of fields) {
          if (field.causes.includes(candidate)) continue;
          const after = valueAt(counterpart, field.path);
          if (JSON.stringify(after) !== JSON.stringify(field.value)) field.causes.push(candidate);
        }
      }
    }
  }
  return explained;
}

/** Renders with a value replaced by others. What cannot be rendered with another value is left out. */
function renderVariants(
  resolved: ResolvedTenant,
  { slot, value }: ExplainedValue,
  render: (tenant: ResolvedTenant) => readonly KubeObject[],
): (readonly KubeObject[])[] {
  if (!slot) return [];
  return listVariants(slot, value).flatMap((variant) => {
    try {
      const changed = replaceAt(resolved, slot, variant) as ResolvedTenant;
      return [render(changed)];
    } catch {
      return [];
    }
  });
}

/** Finds the object that takes the place of one after a change: of the same name, or the only one that is new. */
function findCounterpart(
  object: KubeObject,
  before: readonly KubeObject[],
  after: readonly KubeObject[],
): KubeObject | undefined {
  const ofKind = (all: readonly KubeObject[]) => all.filter(({ kind }) => kind === object.kind);
  const same = ofKind(after).find(({ metadata }) => metadata.name === object.metadata.name);
  if (same) return same;
  const [old, now] = [ofKind(before), ofKind(after)];
  return old.length === now.length ? now[old.indexOf(object)] : undefined;
}

/** Lists the values of an object that contain no others. */
function listFields(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  const inner: [string | number, unknown][] = Array.isArray(value)
    ? value.map((one: unknown, i) => [i, one])
    : isMapping(value)
      ? Object.entries(value)
      : [];
  if (inner.length === 0) return [{ path, value }];
  return inner.flatMap(([key, one]) => listFields(one, [...path, key]));
}

/** Returns the value with another one at a path; undefined removes what is there. */
function replaceAt(value: unknown, [key, ...rest]: Path, wanted: unknown): unknown {
  if (key === undefined) return wanted;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    if (rest.length === 0 && wanted === undefined) return items.filter((_, i) => i !== key);
    return items.map((one, i) => (i === Number(key) ? replaceAt(one, rest, wanted) : one));
  }
  const { [key]: old, ...others } = (isMapping(value) ? value : {}) as Record<
    string | number,
    unknown
  >;
  if (rest.length === 0 && wanted === undefined) return others;
  // The order of keys stays.
  return { ...(isMapping(value) ? value : {}), [key]: replaceAt(old, rest, wanted) };
}
