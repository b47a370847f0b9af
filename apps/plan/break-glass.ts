import { MAX_HOURS } from '../../model/objects/break-glass.ts';
import { definePlanRules, type ReportChange } from './change.ts';
import { filterByKind, RBAC_GROUP, type ClusterChange } from './cluster-changes.ts';

const rules = definePlanRules('access', {
  longer: ['break-glass-longer', 'medium', 'a ClusterRole can be requested for more hours'],
  shorter: ['break-glass-shorter', 'low', 'a ClusterRole can be requested for fewer hours'],
});

export const breakGlassRules = Object.values(rules);

/** Reports for how long ClusterRoles can be requested. Who may request them is a right, which other rules report. */
export function judgeBreakGlass({ pairs }: ClusterChange, report: ReportChange): void {
  for (const { where, before, after } of filterByKind(pairs, RBAC_GROUP, 'Role')) {
    if (!before || !after) continue;
    const [old, now] = [before, after].map(
      ({ object }) => object.metadata.annotations?.[MAX_HOURS],
    );
    if (old === now) continue;
    const isShorter = Number(now) < Number(old);
    const message = `access by request lasts at most ${formatHours(old)} -> ${formatHours(now)}`;
    const subject = `Role ${after.object.metadata.name}`;
    report(isShorter ? rules.shorter : rules.longer, subject, message, where);
  }
}

function formatHours(hours: string | undefined): string {
  return hours === undefined ? 'unlimited' : `${hours} h`;
}
