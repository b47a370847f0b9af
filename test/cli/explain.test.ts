import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inProject, platform, tenant } from './project.ts';

const classFile = `apiVersion: tenantry.dev/v1alpha1
kind: TenantClass
metadata:
  name: standard
spec:
  extends: base
  presets:
    quotas:
      - name: small
        hard:
          pods: 20
          services: 5
  defaults:
    quota:
      preset: small
  environments:
    - name: prod
      podSecurity:
        enforce: restricted
  ceilings:
    quota:
      pods: 100
  exceptions:
    - tenants: [shop]
      namespaces: [shop-prod]
      reason: Black Friday
      ceilings:
        quota:
          pods: 900
---
apiVersion: tenantry.dev/v1alpha1
kind: TenantClass
metadata:
  name: base
spec:
  defaults:
    labels:
      team: none
  ceilings:
    namespaces: 7
`;
const tenantFile = `apiVersion: tenantry.dev/v1alpha1
kind: Tenant
metadata:
  name: shop
spec:
  className: standard
  access:
    admins:
      groups: ['github:shop']
  namespaces:
    - name: shop-dev
    - name: shop-prod
      environment: prod
      quota:
        hard:
          pods: 800
`;
const files = {
  'tenantry.yaml': platform({ clusters: [{ name: 'eu1' }], defaultClass: 'standard' }),
  'tenants/classes/standard.yaml': classFile,
  'tenants/shop.yaml': tenantFile,
  'tenants/other.yaml': tenant('other'),
};

interface Row {
  readonly field: string;
  readonly value: unknown;
  readonly layer: string;
  readonly file?: string;
  readonly line?: number;
}
interface Explained {
  readonly values: readonly Row[];
  readonly namespaces: readonly { readonly name: string; readonly values: readonly Row[] }[];
}

test(
  'each value has the layer that sets it, and the line of the file that has it',
  inProject(files, async (project) => {
    const { code, out, err } = await project.tenantry('explain shop --output json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { values, namespaces } = JSON.parse(out) as Explained;
    const [dev, prod] = namespaces;
    const find = (rows: readonly Row[], field: string) => rows.find((row) => row.field === field);
    expect(find(values, 'className')).toMatchObject({ layer: 'tenant', line: 6 });
    const inDev = (field: string) => find(dev!.values, field);
    const inProd = (field: string) => find(prod!.values, field);
    const standard = { file: 'tenants/classes/standard.yaml' };
    expect(inDev('quota.hard.pods')).toMatchObject({
      value: 20,
      layer: 'preset',
      line: 11,
      ...standard,
    });
    expect(inDev('quota.preset')).toMatchObject({ value: 'small', layer: 'class', line: 15 });
    expect(inProd('quota.hard.pods')).toMatchObject({
      value: 800,
      layer: 'namespace',
      file: 'tenants/shop.yaml',
      line: 16,
    });
    expect(inDev('podSecurity.enforce')).toMatchObject({ value: 'baseline', layer: 'built-in' });
    expect(inDev('podSecurity.enforce')).not.toHaveProperty('file');
    expect(inProd('podSecurity.enforce')).toMatchObject({ layer: 'environment', line: 19 });
    expect(inDev('labels.team')).toMatchObject({ layer: 'parent class', line: 38, ...standard });
    expect(inDev('class.ceilings.namespaces')).toMatchObject({ layer: 'parent class', line: 40 });
    expect(inDev('class.ceilings.quota.pods')).toMatchObject({
      value: 100,
      layer: 'class',
      line: 22,
    });
    expect(inProd('class.ceilings.quota.pods')).toMatchObject({
      value: 900,
      layer: 'exception',
      line: 29,
    });
    expect(inDev('clusters')).toMatchObject({ value: ['eu1'], layer: 'built-in' });
    // Each named line has the value.
    for (const { value, file, line, layer } of [...dev!.values, ...prod!.values]) {
      if (file === undefined || layer === 'platform' || typeof value === 'object') continue;
      const text = readFileSync(join(project.folder, file), 'utf8').split('\n')[line! - 1];
      expect(text).toContain(String(value));
    }
  }),
);

test(
  'a field is a tree of what differs between namespaces, and colors need a terminal',
  inProject(files, async (project) => {
    const { code, out } = await project.tenantry('explain shop quota.hard');
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'all namespaces: shop-dev, shop-prod on eu1',
      '  quota',
      '    hard',
      '      services: 5   preset      tenants/classes/standard.yaml:12',
      '',
      'namespace shop-dev on eu1',
      '  quota',
      '    hard',
      '      pods: 20      preset      tenants/classes/standard.yaml:11',
      '',
      'namespace shop-prod on eu1',
      '  quota',
      '    hard',
      '      pods: 800     namespace   tenants/shop.yaml:16',
      '',
    ]);
    const one = await project.tenantry('explain shop namespaces.shop-prod.quota.hard.pods');
    expect(one.out).toContain('pods: 800');
    expect(one.out).not.toContain('shop-dev');
    const spec = await project.tenantry('explain shop spec.quota.hard.pods');
    expect(spec.out).toContain('pods: 20');
    const colored = await project.tenantry('explain shop quota.hard.pods --color always');
    expect(colored.out).toContain('\u001B[36m');
    const unset = await project.tenantry('explain shop network.allowFrom');
    expect(unset).toMatchObject({
      code: 0,
      out: 'network.allowFrom is not set: no layer of tenant shop sets it\n',
    });
  }),
);

test(
  'each field of a rendered object names the values that determine it',
  inProject(files, async (project) => {
    const { code, out } = await project.tenantry(
      'explain shop spec.hard --object ResourceQuota/tenant-quota',
    );
    expect(code).toBe(0);
    expect(out).toContain('ResourceQuota tenant-quota in shop-prod on eu1');
    expect(out).toMatch(/pods: 800 +namespace +quota\.hard\.pods {2}tenants\/shop\.yaml:16/);
    const json = await project.tenantry('explain shop --object RoleBinding --output json');
    const [binding] = (
      JSON.parse(json.out) as {
        objects: { fields: { field: string; causes: Row[] }[]; causes: Row[] }[];
      }
    ).objects;
    const subject = binding!.fields.find(({ field }) => field === 'subjects[0].name');
    expect(subject!.causes[0]).toMatchObject({ field: 'access.admins.groups.0', line: 9 });
    expect(binding!.causes.map(({ field }) => field)).toContain('access.admins.groups.0');
    const isolation = await project.tenantry(
      'explain shop --object NetworkPolicy/tenant-isolation',
    );
    expect(isolation.out).toMatch(/\(rendered\): true +built-in +network\.isolation {2}built in/);
  }),
);

test.each([
  ['explain shp', "the tenant must be declared in tenants, got 'shp'; did you mean 'shop'?"],
  ['explain shop quota.hrd.pods', "got 'quota.hrd.pods'; did you mean 'quota.hard.pods'?"],
  ['explain shop namespaces.shop-prd.quota', "got 'shop-prd'; did you mean 'shop-prod'?"],
  ['explain shop --object ResourceQota', "got 'ResourceQota'; did you mean 'ResourceQuota'?"],
  ['explain shop spec.hrd --object ResourceQuota', "got 'spec.hrd'; did you mean 'spec.hard'?"],
])('%s ends with one error that names what was meant', (words, message) =>
  inProject(files, async (project) => {
    const { code, out, err } = await project.tenantry(words);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  })(),
);

test(
  'an invalid tenant gets the errors of check, and errors of others do not matter',
  inProject(files, async (project) => {
    const tooMany = tenantFile.replace('pods: 800', 'pods: 901');
    project.write({ 'tenants/shop.yaml': tooMany });
    const errors = (text: string) => text.split('\n').filter((line) => line.startsWith('error'));
    const [explained, checked] = [
      await project.tenantry('explain shop'),
      await project.tenantry('check'),
    ];
    expect(explained).toMatchObject({ code: 1, out: '' });
    expect(errors(explained.err)).toHaveLength(1);
    expect(errors(explained.err)).toEqual(errors(checked.err));
    expect((await project.tenantry('explain other')).code).toBe(0);
    // Two others have one namespace.
    const taken = { namespaces: [{ name: 'taken' }] };
    project.write({ 'tenants/a.yaml': tenant('a', taken), 'tenants/b.yaml': tenant('b', taken) });
    expect((await project.tenantry('explain other')).code).toBe(0);
    const second = await project.tenantry('explain b');
    expect([second.code, second.err]).toEqual([1, expect.stringContaining('which tenant a has')]);
    project.write({ 'tenants/shop.yaml': 'kind: [' });
    const broken = await project.tenantry('explain shop');
    expect(broken).toMatchObject({ code: 1, out: '' });
    expect(broken.err).toContain('tenants/shop.yaml:1');
  }),
);
