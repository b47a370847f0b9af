import type { Platform } from '../../constructs/tenant/declaration.ts';
import { ADOPT_BY_LABEL } from '../../constructs/tenant/ownership.ts';
import { findProtection } from '../../constructs/tenant/protected.ts';
import type { DriftPolicy } from '../../crds/tenantry/types.ts';
import { TENANT_LABEL } from '../../kube/holder.ts';
import type { KubeObject } from '../../kube/object.ts';

/** Whether a tenant's objects may be written in a namespace: its own namespace, or one that it may create or adopt. */
export type NamespaceOwnership =
  'own' | 'absent' | 'adopted' | 'terminating' | { readonly notOurs: string };

/**
 * Classifies a live namespace for a tenant. A namespace with the tenant's label is its own. One without a label can be
 * adopted, by healing alone, if an administrator releases it with the label `tenantry.dev/adopt-by` or the platform
 * lists it in `releasedNamespaces`. Namespaces of the platform or of another tenant cannot be adopted.
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
  if (holder !== undefined) return { notOurs: `its label names tenant ${holder}` };
  const isReleased = heir === tenant || platform.releasedNamespaces.includes(name);
  if (!isReleased) {
    return {
      notOurs: `it exists, has no label ${ADOPT_BY_LABEL}: ${tenant}, and is none of releasedNamespaces`,
    };
  }
  return policy === 'Heal'
    ? 'adopted'
    : { notOurs: `${policy} adopts no namespaces; only Heal does` };
}
