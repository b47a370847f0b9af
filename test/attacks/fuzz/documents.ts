import fc from 'fast-check';
import { yamlOf, Tape } from './text.ts';
import { manifest } from './manifest.ts';

const declare = (kind: string, name: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'tenantry.dev/v1alpha1',
  kind,
  metadata: { name, ...metadata },
  spec,
});

/** An additional document in the attacker's file. */
export const extra = fc.constantFrom(
  declare('TenantClass', 'mine', { allow: { clusterRoles: ['view'] } }),
  declare('TenantClass', 'default', {}),
  declare('TenantClass', 'standard', {}),
  declare('Platform', 'platform', { identities: { users: ['mallory'] } }),
  declare('Tenant', 'victim', {}),
  declare('Tenant', 'mallory', { namespaces: [{ name: 'victim-prod' }] }),
  declare('Tenant', 'second', { className: 'open' }),
  declare('Tenant', 'second', { className: 'open', namespaces: [{ name: 'mallory-dev' }] }),
  declare('Tenant', 'platform-x', { className: 'reserved' }),
  declare('Tenant', 'third', { className: 'reserved' }, { labels: { tier: 'gold' } }),
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } },
  { apiVersion: 'v1', kind: 'List', items: [declare('Tenant', 'fourth')] },
  null,
  'text',
);

/** The text of the file that `resources` may include. */
export const included = fc
  .tuple(
    fc.array(manifest, { minLength: 1, maxLength: 2 }),
    fc.array(fc.nat(60), { maxLength: 20 }),
  )
  .map(([manifests, tape]) =>
    manifests
      .map((one) => yamlOf((one as { manifest?: unknown }).manifest ?? {}, new Tape(tape)))
      .join('\n---\n'),
  );
