import { tenant } from '../../../crds/tenantry/tenant.ts';
import type { Platform } from '../../tenant/declaration.ts';
import { applicationHealth } from './application-health.ts';
import type { ResourceCustomization } from './customization.ts';
import { buildTenantActions } from './tenant-actions.ts';
import { renderTenantHealth } from './tenant-health.ts';

/**
 * What an Argo CD must know that syncs what a platform renders. TenantClasses have no status, and so no
 * health: they are done when they are applied. Nothing has to be left out of comparisons: what the operator
 * writes, a status and finalizers, is not in Git, and Argo CD compares what is.
 */
export function buildCustomizations(platform: Platform): readonly ResourceCustomization[] {
  const hasOperator = platform.declared.operator?.image !== undefined;
  const mayHeal = platform.driftPolicy === 'Heal';
  return [
    {
      group: tenant.group,
      kind: tenant.kind,
      health: renderTenantHealth({ hasOperator }),
      ...(hasOperator && { actions: buildTenantActions({ mayHeal }) }),
      ignoreResourceUpdates: { jsonPointers: ['/status', '/metadata/finalizers'] },
    },
    { group: 'argoproj.io', kind: 'Application', health: applicationHealth },
  ];
}
