import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nginxConversions } from '../../examples/nginx/conversion.ts';
import { storedAsV1alpha2, withBoth, withV1alpha1 } from '../../examples/nginx/definition.ts';
import { deploymentOf } from '../../examples/nginx/deployment.ts';
import { wantedOf } from '../../examples/nginx/kinds.ts';
import { readOperand } from '../../examples/nginx/operand.ts';
import { admitObject } from '@tenantry/crd/admit-object';
import { convertObject } from '@tenantry/crd/conversion';
import { arbitraryObject, roundTrip } from '@tenantry/crd/testing';
import type { KubeObject } from '@tenantry/kube/object';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { runs } from '@tenantry/kube/test/yaml/runs';

type Spec = Readonly<Record<string, unknown>>;

const object = (version: string, spec: Spec): KubeObject => ({
  apiVersion: `operator.example.com/${version}`,
  kind: 'NginxOperator',
  metadata: { name: 'sample', namespace: 'default' },
  spec,
});
const to = (version: string, given: KubeObject): KubeObject =>
  convertObject(nginxConversions, given, `operator.example.com/${version}`);
const specOf = (given: KubeObject): Spec => given['spec'] as Spec;
const edited = (given: KubeObject, change: Spec): KubeObject => ({
  ...given,
  spec: { ...specOf(given), ...change },
});

const tcp = { protocol: 'TCP' };
const http = { name: 'http', containerPort: 8080, ...tcp };
const tls = { name: 'tls', containerPort: 8443, ...tcp };
const bare = { containerPort: 9000, ...tcp };
const three = object('v1alpha2', { ports: [http, tls, bare], replicas: 0, forceRedploy: '' });

test('every object survives the round trip through the other version', () => {
  const { numRuns, seed } = runs(60);
  roundTrip(nginxConversions, { runs: numRuns, ...(seed !== undefined && { seed }) });
});

test('every object makes the same Deployment in either version, so an upgrade rolls nothing out', () => {
  const operand = readOperand();
  const made = (given: KubeObject) =>
    deploymentOf(operand, 'sample', wantedOf(given as unknown as Live<never>)!);
  fc.assert(
    fc.property(arbitraryObject(withV1alpha1, 'v1alpha1'), (old) => {
      const { value } = admitObject(withV1alpha1, old);
      const defaulted = value as KubeObject;
      expect(made(to('v1alpha2', defaulted))).toEqual(made(defaulted));
    }),
    runs(40),
  );
});

describe('an object with three ports, of which the old version has one', () => {
  const old = to('v1alpha1', three);

  test('has the first port as its port', () => {
    expect(specOf(old)).toEqual({ port: 8080, replicas: 0, forceRedploy: '' });
  });

  test('has all three ports again after another field was edited', () => {
    const back = to('v1alpha2', edited(old, { replicas: 4 }));
    expect(specOf(back)).toEqual({ ports: [http, tls, bare], replicas: 4, forceRedploy: '' });
    expect(back.metadata.annotations ?? {}).toEqual({});
  });

  test('has the edited port first, under its name, followed by the other two', () => {
    const back = to('v1alpha2', edited(old, { port: 80 }));
    expect(specOf(back)['ports']).toEqual([{ ...http, containerPort: 80 }, tls, bare]);
  });

  test('has a port once if it is edited to equal another one of the three', () => {
    const back = to('v1alpha2', edited(old, { port: 8443 }));
    expect(specOf(back)['ports']).toEqual([{ ...http, containerPort: 8443 }, bare]);
  });

  test('is valid for the schema, whatever someone writes into the annotations', () => {
    for (const name of ['tls', 'NO', '1', 'a--b', '-a', 'a-', 'x'.repeat(16)]) {
      const annotations = { ...old.metadata.annotations, 'operator.example.com/port-name': name };
      const back = to('v1alpha2', { ...old, metadata: { ...old.metadata, annotations } });
      expect(admitObject(storedAsV1alpha2, back).errors).toEqual([]);
    }
  });
});

test('foreign annotations survive the conversion', () => {
  const annotations = { 'example.com/team': 'shop' };
  const given = { ...three, metadata: { ...three.metadata, annotations } };
  expect(to('v1alpha1', given).metadata.annotations).toMatchObject(annotations);
  expect(to('v1alpha2', to('v1alpha1', given))).toEqual(given);
});

test('even an invalid object without ports is converted', () => {
  expect(specOf(to('v1alpha1', object('v1alpha2', { ports: [] })))).toMatchObject({ port: 8080 });
});

test('an object without a port listens on 8080 in either version', () => {
  expect(specOf(admitObject(withV1alpha1, object('v1alpha1', {})).value as KubeObject)).toEqual({
    port: 8080,
  });
  expect(specOf(admitObject(withBoth, object('v1alpha2', {})).value as KubeObject)).toEqual({
    ports: [{ containerPort: 8080, protocol: 'TCP' }],
  });
});

test('ports that nginx cannot use are rejected', () => {
  const faults = (spec: Spec) =>
    admitObject(withBoth, object('v1alpha2', spec)).errors.map(({ path }) => path.join('.'));
  expect(faults({ ports: [] })).toEqual(['spec.ports']);
  expect(faults({ ports: [{ containerPort: 0 }] })).toEqual(['spec.ports.0.containerPort']);
  expect(faults({ ports: [bare, bare] })).toEqual(['spec.ports.1.containerPort']);
  expect(faults({ ports: [http, { ...tls, name: 'http' }] })).toEqual(['spec.ports']);
  expect(faults({ ports: [{ ...bare, protocol: 'UDP' }] })).toEqual(['spec.ports.0.protocol']);
  expect(faults({ ports: [http, tls, bare] })).toEqual([]);
});
