import { tenant } from '../../../crds/tenantry/tenant.ts';
import type { Platform } from '../../tenant/declaration.ts';
import { applicationHealth } from './application-health.ts';
import type { ResourceCustomization } from './customization.ts';
import { buildTenantActions } from './tenant-actions.ts';
import { renderTenantHealth } from './tenant-health.ts';

/**
 * Builds the customizations of an Argo CD that syncs what a platform renders. TenantClasses have no status, and so no
 * health: they are done when they are applied. No fields need to be excluded from comparisons. The operator writes only
 * status and finalizers, which are not in Git, and Argo CD compares what is in Git.
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
