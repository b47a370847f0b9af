import type { Platform } from '../../constructs/tenant/declaration.ts';
import { ADOPT_BY_LABEL } from '../../constructs/tenant/ownership.ts';
import { findProtection } from '../../constructs/tenant/protected.ts';
import type { DriftPolicy } from '../../crds/tenantry/types.ts';
import { TENANT_LABEL } from '../../kube/cascade-root.ts';
import type { KubeObject } from '../../kube/object.ts';

/** Whether a tenant's objects may be written in a namespace: in its own, or in one that it may come to have. */
export type NamespaceOwnership =
  'own' | 'absent' | 'adopted' | 'terminating' | { readonly notOurs: string };

/**
 * What a live namespace is to a tenant. By its label it is the tenant's; without any, an administrator releases it
 * by the label `tenantry.dev/adopt-by`, or the platform by `releasedNamespaces`, and healing alone adopts it; what is
 * the platform's, or another tenant's, cannot be adopted.
 */
export function classifyNamespace(
  name: string,
  live: KubeObject | undefined,
  { tenant, platform, policy }: { tenant: string; platform: Platform; policy: DriftPolicy },
): NamespaceOwnership {
  const protector = findProtection(platform, name);
  if (protector) return { notOurs: `it is protected (${protector.pattern})` };
  if (!live) return 'absent';
  const { labels = {}, deletionTimestamp } = live.metadata as KubeObject['metadata'] & {
    readonly deletionTimestamp?: string;
  };
  if (deletionTimestamp !== undefined) return 'terminating';
  const [holder, heir] = [labels[TENANT_LABEL], labels[ADOPT_BY_LABEL]];
  if (holder === tenant) return 'own';
  if (holder !== undefined) return { notOurs: `its label says that it is tenant ${holder}'s` };
  const isReleased = heir === tenant || platform.releasedNamespaces.includes(name);
  if (!isReleased) {
    return {
      notOurs: `it exists, has no label ${ADOPT_BY_LABEL}: ${tenant}, and is none of releasedNamespaces`,
    };
  }
  return policy === 'Heal' ? 'adopted' : { notOurs: `${policy} adopts none: that needs Heal` };
}
