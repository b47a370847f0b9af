import type { Finding } from '@tenantry/kube/finding';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from '../model/declaration.ts';
import { toTenantObject } from '../model/declared-objects.ts';
import { desired } from '../model/desired.ts';
import { findSteeringText } from './steering-text.ts';

/** Returns the errors with which a file of a tenant would be refused: of rules, or else text that Argo CD obeys. */
export function findTenantErrors(
  tenant: TenantDeclaration,
  klass: TenantClassDeclaration,
  platform: Platform,
): Finding[] {
  const { findings } = desired(tenant, klass, platform);
  const errors = findings.filter(({ severity }) => severity === 'error');
  return errors.length > 0 ? errors : findSteeringText(toTenantObject(tenant));
}
