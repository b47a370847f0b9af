import { expect, test } from '@jest/globals';
import { TenantClass } from '../../constructs/tenant/tenant-class.ts';
import { inFleet, platform, tenant, tenantClass } from './fleet.ts';

const table = {
  folders: [
    { folder: 'labs', tenants: ['sandbox-*'] },
    { folder: 'finance', tenants: ['payments'], namespaces: ['pay-*'] },
  ],
};
const given = platform({ delegation: table });

test(
  'a refusal names the place, what the folder may declare, and what it declares',
  inFleet(
    {
      'tenantry.yaml': given,
      'tenants/classes/audited.yaml': tenantClass('audited', {
        allowedTenants: { selector: { matchLabels: { audit: 'yes' } } },
      }),
      'tenants/a.yaml': tenant('one'),
      'tenants/labs/b.yaml': tenant('payments'),
      'tenants/labs/c.yaml': tenantClass('open'),
      'tenants/labs/d.yaml': tenant('sandbox-d').replace('{name', '{labels: {audit: "yes"}, name'),
      'tenants/labs/e.yaml': tenant('sandbox-e', { resources: [{ file: '../finance/a.json' }] }),
      'tenants/finance/f.yaml': tenant('payments', { namespaces: [{ name: 'gold' }] }),
    },
    (fleet) => {
      const of = 'of the platform file';
      expect(fleet.render().problems).toEqual([
        `tenants/a.yaml:2:7 kind must be in a folder of spec.delegation ${of} (labs, finance, classes), got 'a.yaml'`,
        `tenants/finance/f.yaml:4:30 spec.namespaces[0].name must be a name that the folder 'finance' may give a namespace (pay-*) under spec.delegation ${of}, got 'gold'`,
        `tenants/labs/b.yaml:3:18 metadata.name must be a name that the folder 'labs' may give a Tenant (sandbox-*) under spec.delegation ${of}, got 'payments'`,
        `tenants/labs/c.yaml:2:7 kind must be in a folder that spec.delegation ${of} lets declare a TenantClass (classes), got the folder 'labs'`,
        `tenants/labs/d.yaml:3:28 metadata.labels.audit must be granted to the folder 'labs' in spec.delegation ${of}, since class audited selects by it (allowedTenants.selector), got 'yes'`,
        "tenants/labs/e.yaml:4:29 spec.resources[0].file must be a file that can be read, got '../finance/a.json': it is neither in the folder 'labs' nor shared (spec.delegation)",
      ]);
    },
  ),
);

test(
  'two rows that can match the same folder are reported at the second, in the platform file',
  inFleet(
    {
      'tenantry.yaml': platform({
        delegation: { folders: [{ folder: 'a/*' }, { folder: '*/b' }] },
      }),
    },
    (fleet) => {
      expect(fleet.render().problems).toEqual([
        "tenantry.yaml:4:60 spec.delegation.folders[1].folder must be more or less specific than folder 'a/*', got '*/b', which can match the same folder",
      ]);
    },
  ),
);

test(
  'a class that trusts tenant names has a warning while no table guards the names',
  inFleet(
    {
      'tenants/classes/a.yaml': tenantClass('paying', { allowedTenants: { names: ['pay-*'] } }),
      'tenants/classes/b.yaml': tenantClass('all', { allowedTenants: { names: ['*'] } }),
    },
    (fleet) => {
      const warnings = (memory?: string) =>
        fleet
          .render(memory === undefined ? {} : { memory })
          .summary?.warnings.map(({ file, rule }) => ({
            file: file?.replace(`${fleet.folder}/`, ''),
            rule,
          }));
      const odd = [{ file: 'tenants/classes/a.yaml', rule: 'delegation-off' }];
      expect(warnings()).toEqual(odd);
      expect(warnings('memory')).toEqual(odd);
      expect(warnings('memory')).toEqual(odd);
      fleet.write({ 'tenantry.yaml': given });
      expect(warnings('memory')).toEqual([]);
    },
  ),
);

test(
  'a changed table applies to every tenant, with and without a cache',
  inFleet({ 'tenants/labs/a.yaml': tenant('a') }, (fleet) => {
    const memory = { memory: 'memory' };
    fleet.rendered(memory);
    expect(fleet.render(memory).problems).toEqual([]);
    fleet.write({ 'tenantry.yaml': given });
    expect(fleet.render(memory).rules).toEqual(['delegation']);
  }),
);

test(
  'a label that a class in TypeScript uses is trusted too',
  inFleet(
    { 'tenants/a.yaml': tenant('a').replace('{name', '{labels: {audit: "yes"}, name') },
    (fleet) => {
      const selector = { matchExpressions: [{ key: 'audit', operator: 'Exists' as const }] };
      expect(fleet.render().rules).toEqual([]);
      expect(
        fleet.render({
          add: (app) => void new TenantClass(app, 'c', { allowedTenants: { selector } }),
        }).rules,
      ).toEqual(['delegated-label']);
    },
  ),
);

test(
  'a file name with terminal commands or line breaks is printed as text',
  inFleet(
    {
      'tenants/a.yaml': tenant('acme'),
      'tenants/b\u001b[2J\nerror: no problems.yaml': tenant('acme'),
      'tenants/c\u009b1m.yaml': tenant('x', { namespaces: [{ name: 'acme' }] }),
    },
    (fleet) => {
      const { problems } = fleet.render();
      expect(problems).toHaveLength(2);
      // oxlint-disable-next-line no-control-regex
      expect(problems.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      expect(problems[0]).toContain('tenants/b\\u001b[2J\\u000aerror: no problems.yaml:3:18 ');
    },
  ),
);

test(
  'while the platform file is broken, no file is refused because of its folder',
  inFleet(
    {
      'tenantry.yaml': platform({ delegation: { folders: 'none' } }),
      'tenants/a/gold.yaml': tenantClass('gold'),
      'tenants/b.yaml': tenant('b', { quota: 3 }),
    },
    (fleet) => expect(fleet.render().rules).toEqual(['schema', 'schema']),
  ),
);
