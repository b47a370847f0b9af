import { expect, test } from '@jest/globals';
import { inFleet, platform, tenant, tenantClass } from './fleet.ts';

const hosts = { type: 'array', items: { type: 'string', maxLength: 253 }, maxItems: 9 };

const web = (manifest: object = {}, name = 'web') =>
  tenantClass('web', {
    presets: {
      resources: [
        {
          name,
          parameters: { type: 'object', required: ['hosts'], properties: { hosts } },
          manifests: [
            {
              apiVersion: 'v1',
              kind: 'Service',
              metadata: { name: '{tenant}-hosts' },
              spec: { externalName: '{tenant}', loadBalancerSourceRanges: '{hosts}' },
              ...manifest,
            },
          ],
        },
      ],
    },
  });

const shop = (name: string, values: object) =>
  tenant(name, { className: 'web', resources: [{ preset: 'web', values }] });

test(
  'the objects of a preset are rendered for every tenant that uses it',
  inFleet(
    {
      'tenants/classes/web.yaml': web(),
      'tenants/a.yaml': shop('one', { hosts: ['a', 'b'] }),
      'tenants/b.yaml': shop('two', { hosts: ['{tenant}: x\n- y'] }),
    },
    (fleet) => {
      const files = fleet.rendered();
      const of = (name: string) =>
        files[`clusters/in-cluster/tenants/${name}/resources/namespace-${name}.yaml`];
      expect(of('one')).toContain('\n  loadBalancerSourceRanges:\n  - a\n  - b\n');
      expect(of('one')).toContain('\n  name: one-hosts\n');
      expect(of('two')).toContain(
        '\n  loadBalancerSourceRanges:\n  - |-\n    {tenant}: x\n    - y\n',
      );
    },
  ),
);

test(
  'a mistake in a preset is one problem, in the file of the class, however many tenants use it',
  inFleet(
    {
      'tenants/classes/web.yaml': web({ kind: 'Namespace' }),
      'tenants/a.yaml': shop('one', { hosts: ['a'] }),
      'tenants/b.yaml': shop('two', { hosts: ['b'] }),
    },
    (fleet) => {
      expect(fleet.render().problems).toEqual([
        expect.stringMatching(
          /^tenants\/classes\/web\.yaml:4:\d+ spec\.presets\.resources\[0\]\.manifests\[0\]\.kind must be a namespaced kind/,
        ),
      ]);
      fleet.write({ 'tenants/classes/web.yaml': web({ data: { team: '{team}' } }) });
      expect(fleet.render().problems).toEqual([
        expect.stringContaining('manifests[0].data.team must be one of {hosts}, {tenant}, '),
      ]);
    },
  ),
);

test(
  'a mistake in values is reported where the tenant sets them, together with other mistakes',
  inFleet(
    {
      'tenants/classes/web.yaml': web(),
      'tenants/a.yaml': shop('one', { hosts: [7] }),
      'tenants/b.yaml': shop('two', {}),
      'tenants/c.yaml': tenant('three', { className: 'web', resources: [{ preset: 'wep' }] }),
    },
    (fleet) => {
      expect(fleet.render().problems).toEqual([
        expect.stringMatching(
          /^tenants\/a\.yaml:4:74 spec\.resources\[0\]\.values\.hosts\[0\] must be .*, got 7$/,
        ),
        expect.stringMatching(
          /^tenants\/b\.yaml:4:\d+ spec\.resources\[0\]\.values\.hosts must be a list, got nothing$/,
        ),
        expect.stringMatching(
          /^tenants\/c\.yaml:4:\d+ spec\.resources\[0\]\.preset must be a preset of class web \(one of web\), got 'wep'; did you mean 'web'\?$/,
        ),
      ]);
    },
  ),
);

test(
  'while the platform file is broken, kinds that it may name are not reported as unknown',
  inFleet(
    {
      'tenantry.yaml': platform({ clusters: 7 }),
      'tenants/classes/web.yaml': web({ apiVersion: 'example.com/v1', kind: 'Widget' }),
    },
    (fleet) => {
      expect(fleet.render().problems).toEqual([expect.stringContaining('spec.clusters must be')]);
    },
  ),
);

test(
  'a warning of a class is printed and does not fail the run',
  inFleet(
    {
      'tenants/classes/web.yaml': web({ spec: {} }),
      'tenants/a.yaml': shop('one', { hosts: [] }),
    },
    (fleet) => {
      const { summary, problems } = fleet.render();
      expect(problems).toEqual([]);
      expect(summary?.warnings).toMatchObject([
        {
          file: expect.stringMatching(/tenants\/classes\/web\.yaml$/),
          path: 'spec.presets.resources[0].parameters.properties.hosts',
          rule: 'unused-parameter',
        },
      ]);
    },
  ),
);
