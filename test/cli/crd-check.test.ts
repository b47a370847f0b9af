import { expect, test } from '@jest/globals';
import { inProject } from './project.ts';

const good = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.example.com
spec:
  group: example.com
  names: { kind: Thing, plural: things }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: { type: integer }
`;

const broken = good
  .replace('storage: true', 'storage: false')
  .replace('names:', 'nmes: {}\n  names:')
  .replace('size: { type: integer }', 'size: { type: array }');

const unsure = good.replace(
  'size: { type: integer }',
  "size: { type: string, x-kubernetes-validations: [{ rule: 'google.protobuf.Duration{seconds: 1} == null' }] }",
);

const dear = good.replace(
  'size: { type: integer }',
  "size: { type: string, x-kubernetes-validations: [{ rule: 'true', messageExpression: 'self.contains(self) ? self : self' }] }",
);
const bounded = dear.replace('type: string,', 'type: string, maxLength: 7905,');

const unmeant = good.replace(
  'size: { type: integer }',
  'sizes: { type: array, items: { type: string, maxLenght: 3 } }',
);

test(
  'a valid definition passes, and so does a folder of them',
  inProject({ 'crds/a.yaml': good, 'crds/b.txt': 'x' }, async (project) => {
    const out = '1 definition: 0 problems, 0 warnings, 0 not checked\n';
    expect(await project.tenantry('crd check crds/a.yaml')).toEqual({ code: 0, out, err: '' });
    expect(await project.tenantry('crd check crds')).toEqual({ code: 0, out, err: '' });
    expect(await project.tenantry('crd check crds --quiet')).toEqual({ code: 0, out: '', err: '' });
  }),
);

test(
  'everything that the API server would refuse is reported with file, line and column',
  inProject({ 'a.yaml': broken }, async (project) => {
    const { code, out, err } = await project.tenantry('crd check a.yaml');
    expect({ code, out }).toEqual({
      code: 1,
      out: '1 definition: 3 problems, 0 warnings, 0 not checked\n',
    });
    expect(err.split('\n')).toEqual([
      "error a.yaml:7:9 spec.nmes must be a known field, got 'nmes'; did you mean 'names'? (unknown-field)",
      "error a.yaml:11:5 spec.versions must have exactly one version with 'storage: true', got 0 (storage-version)",
      expect.stringMatching(
        /^error a\.yaml:21:23 spec\.versions\[0\].*\.size\.items must .* \(items\)$/,
      ),
      '',
    ]);
    const json = await project.tenantry('crd check a.yaml --output json');
    expect(json).toMatchObject({ code: 1, err: '' });
    expect(JSON.parse(json.out)).toMatchObject({
      command: 'crd check',
      outcome: 'refused',
      definitions: 1,
      problems: [{ rule: 'unknown-field' }, { rule: 'storage-version' }, { rule: 'items' }],
    });
  }),
);

test(
  'an expensive messageExpression is reported with the limit that helps, and passes with it',
  inProject({ 'a.yaml': dear, 'b.yaml': bounded }, async (project) => {
    const { code, out, err } = await project.tenantry('crd check a.yaml b.yaml');
    expect({ code, out }).toEqual({
      code: 1,
      out: '2 definitions: 1 problem, 0 warnings, 0 not checked\n',
    });
    expect(err).toMatch(
      /^error a\.yaml:20:\d+ .*\.messageExpression must cost at most 10000000 .*; it fits with maxLength 7905 at spec\.size \(cel-cost\)\n$/,
    );
  }),
);

test(
  'a suspicious but accepted field is a warning, and what only the server decides is not checked',
  inProject({ 'a.yaml': unsure, 'b.yaml': unmeant }, async (project) => {
    const { code, out, err } = await project.tenantry('crd check a.yaml b.yaml');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      expect.stringMatching(
        /^warning b\.yaml:20:\d+ .*'maxLenght'; did you mean 'maxLength'\? .* \(ignored-field\)$/,
      ),
      expect.stringMatching(
        /^not checked a\.yaml:20:\d+ .*\.rule must be CEL that the API server takes /,
      ),
      '2 definitions: 0 problems, 1 warning, 1 not checked',
      '',
    ]);
  }),
);

test(
  'with --strict an unchecked part fails, and a fully checked definition passes',
  inProject({ 'a.yaml': unsure, 'b.yaml': unmeant }, async (project) => {
    const strict = await project.tenantry('crd check a.yaml b.yaml --strict');
    expect(strict.code).toBe(1);
    expect(strict.err).toMatch(/^not checked a\.yaml:20:\d+ .*\n$/);
    expect(strict.out).toMatch(/^warning .*\n2 definitions: .* 1 not checked\n$/);
    const quiet = await project.tenantry('crd check a.yaml --strict --quiet');
    expect(quiet).toEqual({ code: 1, out: '', err: strict.err });
    const json = await project.tenantry('crd check a.yaml --strict --output json');
    expect([json.code, JSON.parse(json.out).outcome]).toEqual([1, 'refused']);
    expect(await project.tenantry('crd check b.yaml --strict')).toMatchObject({ code: 0, err: '' });
  }),
);

test(
  'an unreadable definition and a missing source are reported',
  inProject({ 'a.yaml': 'a: [', 'b.yaml': 'kind: Service\napiVersion: v1\n' }, async (project) => {
    const { code, err } = await project.tenantry('crd check a.yaml b.yaml');
    expect(code).toBe(1);
    expect(err).toMatch(/^error a\.yaml:\d+:\d+ must be YAML.* \(yaml\)\n/);
    expect(err).toContain(
      '\nerror b.yaml must hold a CustomResourceDefinition, got Service (no-definition)\n',
    );
    const none = await project.tenantry('crd check nothing.yaml');
    const nothing = '0 definitions: 1 problem, 0 warnings, 0 not checked\n';
    expect(none).toMatchObject({ code: 1, out: nothing });
    expect(none.err).toMatch(
      /^error nothing\.yaml must be a file, a folder, .*, got none of them \(file\)\n/,
    );
  }),
);
