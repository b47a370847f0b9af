import { expect } from '@jest/globals';
import fc from 'fast-check';
import { define } from '@tenantry/crd/define';
import { crdManifest, listVersions, type Definition } from '@tenantry/crd/definition';
import type { KubeObject } from '@tenantry/kube/object';
import { QUANTITY_PATTERN } from '@tenantry/kube/quantity';
import { sampleValue } from '@tenantry/crd/schema/sample';
import {
  anything,
  boolean,
  embeddedResource,
  enumOf,
  integer,
  intOrString,
  list,
  listMap,
  map,
  nullable,
  number,
  object,
  required,
  set,
  string,
} from '@tenantry/crd/schema/language';
import { arbitraryObject } from '@tenantry/crd/testing';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { redis } from '@tenantry/crd/test/conversion/redis';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { serve, TRIAL } from './crds.ts';

const given = await sharedCluster();
const { test } = given;

const formats = [
  'bsonobjectid byte cidr creditcard date date-time duration email hexcolor hostname ipv4 ipv6 isbn',
  'isbn10 isbn13 k8s-long-name k8s-short-name mac password rgbcolor ssn uri uuid uuid3 uuid4 uuid5',
].flatMap((line) => line.split(' '));

const dnsLabel = string('A name.', { pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 });

/** A definition that uses each feature of a schema in one field. */
const specimen = define({
  group: 'samples.example.com',
  kind: 'Specimen',
  plural: 'specimens',
  scope: 'Cluster',
  versions: {
    v1: {
      schema: object('Everything.', {
        formats: object(
          'Each format.',
          Object.fromEntries(formats.map((format) => [format, string(format, { format })])),
        ),
        patterns: object('Texts.', {
          label: required(dnsLabel),
          quantity: string('An amount.', { pattern: QUANTITY_PATTERN }),
          day: string('A day.', { pattern: '^((?i)sun|mon)day(?:((:(sun|mon)day)$)|$)' }),
          hex: string('A digest.', { pattern: '^[0-9a-fA-F]{64}$' }),
          classes: string('Classes.', { pattern: '^[[:alpha:]]\\pL\\Qa.b\\E\\z' }),
          long: string('Of some length.', { minLength: 70, maxLength: 90 }),
          short: string('One character.', { minLength: 1, maxLength: 1 }),
        }),
        numbers: object('Numbers.', {
          small: integer('32 bits.'),
          large: integer('64 bits.', { format: 'int64' }),
          port: required(integer('A port.', { minimum: 1, maximum: 65535 })),
          open: integer('Between.', { minimum: 3, exclusiveMinimum: true, maximum: 5 }),
          steps: integer('A multiple.', { minimum: 1, multipleOf: 15 }),
          share: number('A share.', { minimum: 0, maximum: 1, exclusiveMaximum: true }),
          amount: intOrString('An amount.', { pattern: '^[0-9]+%$', minimum: 0 }),
        }),
        lists: object('Lists.', {
          names: required(set('A set.', dnsLabel, { minItems: 2, maxItems: 5 })),
          ports: listMap(
            'By two keys.',
            ['port', 'protocol'],
            object('A port.', {
              port: required(integer('Its number.', { minimum: 1 })),
              protocol: enumOf('Its protocol.', ['TCP', 'UDP'], { default: 'TCP' }),
              note: string('A note.'),
            }),
            { minItems: 3 },
          ),
          tables: list('Lists of lists.', list('A row.', integer('A cell.'), { minItems: 1 })),
        }),
        maps: object('Maps.', {
          labels: map('Texts.', string('A value.'), { minProperties: 1, maxProperties: 3 }),
          objects: map('Objects.', object('One.', { on: required(boolean('On.')) })),
        }),
        unions: object(
          'One of two.',
          { a: string('The one.'), b: integer('The other.'), c: boolean('Beside.') },
          { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
        ),
        absent: object(
          'Not both.',
          { a: string('The one.'), b: string('The other.') },
          {
            not: { required: ['a', 'b'] },
          },
        ),
        open: object(
          'What is not known is kept.',
          { a: string('Known.') },
          {
            preserveUnknownFields: true,
          },
        ),
        anything: anything('Any value.'),
        manifest: embeddedResource('An object.'),
        empty: nullable(object('May be null.', { a: string('A field.') })),
        rules: object(
          'The fields that CEL rules check.',
          {
            least: integer('The least.', { minimum: 0 }),
            most: required(integer('The most.')),
            mode: enumOf('How.', ['Plain', 'Secret'], { default: 'Plain' }),
            secret: string('Which one.', { maxLength: 20 }),
            route: string('Where to.', { maxLength: 40 }),
          },
          {
            rules: [
              { rule: '!has(self.least) || self.least < self.most' },
              { rule: "self.mode != 'Secret' || has(self.secret)" },
              { rule: "!has(self.route) || self.route.split(':').size() == 2" },
            ],
          },
        ),
        choice: object(
          'CEL too.',
          { a: string('A.'), b: integer('B.') },
          { exactlyOneOf: ['a', 'b'] },
        ),
        spec: object('What is scaled.', { replicas: integer('How many.') }),
        status: object('What there is.', { replicas: integer('How many.') }),
      }),
      subresources: {
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
    },
  },
});

/** Returns why the API server refuses an object in a dry run; undefined if it accepts the object. */
async function refusal(definition: Definition, object: KubeObject): Promise<string | undefined> {
  const inside = definition.scope === 'Namespaced' && { namespace: 'default' };
  const body = { ...object, metadata: { ...object.metadata, ...inside } };
  const reply = await given.cluster.admin.create(body, TRIAL);
  return reply.status === 201 ? undefined : (reply.body.message ?? String(reply.status));
}

for (const definition of [specimen, redis] as readonly Definition[]) {
  const { kind } = definition;

  test(`the API server accepts the minimal and the full sample of ${kind}`, async () => {
    await serve(given.cluster.admin, crdManifest(definition));
    for (const { name, apiVersion, served, schema } of listVersions(definition)) {
      if (!served) continue;
      const { properties: { apiVersion: _, kind: __, metadata: ___, ...fields } = {} } = schema;
      for (const full of [false, true]) {
        const value = sampleValue({ ...schema, properties: fields }, { full }) as object;
        const whole = { apiVersion, kind, metadata: { name: 'a' }, ...value };
        expect({ name, full, refusal: await refusal(definition, whole) }).toEqual({ name, full });
        if (full) expect(Object.keys(value)).toEqual(Object.keys(fields));
      }
    }
  });

  test(`the API server accepts every object that is generated from the schemas of ${kind}`, async () => {
    await serve(given.cluster.admin, crdManifest(definition));
    for (const { name, served } of listVersions(definition)) {
      if (!served) continue;
      await fc.assert(
        fc.asyncProperty(
          fc.array(arbitraryObject(definition, name), { minLength: 1, maxLength: 10 }),
          async (objects) => {
            const refusals = await Promise.all(objects.map((one) => refusal(definition, one)));
            expect(refusals.filter((one) => one !== undefined)).toEqual([]);
          },
        ),
        runs(16),
      );
    }
  });
}
