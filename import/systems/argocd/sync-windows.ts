import { omitUndefined } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';
import type { SyncWindow } from '../../../crds/tenant-argocd.ts';
import { compileGlob } from '../../../model/argocd/patterns/glob.ts';
import type { SystemObject } from '../system-object.ts';
import type { SourceCluster } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import type { AppProject, ProjectWindow } from './project-schema.ts';

/** The tenant that a project becomes. */
export interface ProjectTenant {
  readonly name: string;
  /** The namespaces of the source that the project allows. */
  readonly namespaces: ReadonlySet<string>;
  readonly clusters: readonly SourceCluster[];
}

/** Translates a window that is for all Applications of a project; a tenant has no window for some of them. */
export function translateWindow(
  one: SystemObject<AppProject>,
  window: ProjectWindow,
  path: Path,
  tenant: ProjectTenant,
  translation: Translation,
): void {
  const at = (field: keyof ProjectWindow): Path => [...path, field];
  const scopes = (['applications', 'namespaces', 'clusters', 'andOperator'] as const).map(at);
  const scopeItems = (['applications', 'namespaces', 'clusters'] as const).flatMap((field) =>
    (window[field] ?? []).map((_, i) => [...path, field, i]),
  );
  const when = (['kind', 'schedule', 'duration', 'timeZone', 'manualSync'] as const).map(at);
  if (window.syncOverrun) {
    one.leave(at('syncOverrun'), 'a sync that runs when it must not is stopped: there is no field');
  } else one.take(at('syncOverrun'), 'what Argo CD does without it');
  const description = window.description || undefined;
  const hasDescription = description === undefined || isLine(description);
  if (!hasDescription) one.leave(at('description'), 'it must be one line without braces');
  const all = [...when, ...scopes, ...scopeItems, ...(hasDescription ? [at('description')] : [])];
  if (!coversAll(window, tenant)) {
    const reason =
      'it is for some Applications only: put it into `argocd.syncWindows` of the namespaces for which it is meant';
    for (const each of all) one.leave(each, reason);
    return;
  }
  const { kind, schedule = '', duration = '', timeZone, manualSync } = window;
  const own = omitUndefined<SyncWindow>({
    // Another word is refused with the setting.
    kind: kind as SyncWindow['kind'],
    schedule: schedule.trim().split(/\s+/).join(' '),
    duration,
    timeZone: timeZone || undefined,
    manualSync: manualSync || undefined,
    description: hasDescription ? description : undefined,
  });
  const [first, ...rest] = all as [Path, ...Path[]];
  translation.setForTenant({
    tenant: tenant.name,
    spec: { argocd: { syncWindows: [own] } },
    origin: one,
    path: first,
    others: rest.map((at) => ({ origin: one, path: at })),
    within: tenant.namespaces,
  });
}

/** Whether a tenant's window can have the text as its description. */
const isLine = (text: string): boolean => /^[^ ]/.test(text) && !/[{}\p{Cc}]/u.test(text);

/**
 * Whether a window applies to every Application that the project allows here. Argo CD compares each list that is set:
 * one match suffices, or with `andOperator` all of them must match.
 * Source: SyncWindows.Matches in pkg/apis/application/v1alpha1/types.go of argo-cd
 */
function coversAll(window: ProjectWindow, { namespaces, clusters }: ProjectTenant): boolean {
  const { applications = [], andOperator = false } = window;
  const verdicts: boolean[] = [];
  if (applications.length > 0) verdicts.push(applications.includes('*'));
  if (window.clusters?.length) {
    const matches = compileAny(window.clusters);
    verdicts.push(clusters.every(({ server }) => server !== undefined && matches(server)));
  }
  if (window.namespaces?.length) {
    const matches = compileAny(window.namespaces);
    verdicts.push([...namespaces].every(matches));
  }
  // With `andOperator` and without namespaces, Argo CD's last match is that of the list before.
  if (verdicts.length === 0) return false;
  return andOperator ? verdicts.every(Boolean) : verdicts.some(Boolean);
}

function compileAny(patterns: readonly string[]): (text: string) => boolean {
  const all = patterns.map((pattern) => (pattern === '*' ? () => true : compileGlob(pattern)));
  return (text) => all.some((matches) => matches?.(text));
}
