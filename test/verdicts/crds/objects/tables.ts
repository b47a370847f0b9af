import { admitObject } from '@tenantry/crd/admit-object';
import { crdManifest, getVersion, type Definition } from '@tenantry/crd/definition';
import { formatCanonicalJson } from '@tenantry/kube/json';
import { formatPath } from '@tenantry/kube/problem';
import { serve } from '../../../cluster/crds.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body, Reply } from '@tenantry/testing/controlplane/objects';
import { uniqueName } from '@tenantry/testing/test/controlplane/unique-name';
import { shown, table } from '../../table.ts';
import { isBlamed, plain, sorted } from '../../schema/admission/verdict.ts';
import { objectWrites, type ObjectWrite, type Written } from './writes.ts';

/** The fields that are blamed, or what is stored. */
type Recorded = { readonly refuses: readonly string[] } | { readonly stores: Written };

function objectOf({ group, kind }: Definition, name: string, fields: Written): Body {
  return { apiVersion: `${group}/v1`, kind, metadata: { name }, ...fields } as Body;
}

async function serversVerdict(client: Client, write: ObjectWrite): Promise<Recorded> {
  const { definition, to, sent, stored } = write;
  const name = uniqueName('a');
  const trial = { dryRun: true, fieldValidation: 'Ignore' } as const;
  if (!stored) return recorded(await client.create(objectOf(definition, name, sent), trial));
  const first = objectOf(definition, name, stored);
  let { metadata = {} } = done(await client.create(first)).body;
  if (getVersion(definition, 'v1').subresources.status && stored.status !== undefined) {
    const report = await client.replace({ ...first, metadata }, { subresource: 'status' });
    metadata = done(report).body.metadata ?? {};
  }
  const options = { ...trial, ...(to === 'status' && { subresource: 'status' }) };
  const changed = { ...objectOf(definition, name, sent), metadata };
  return recorded(await client.replace(changed, options));
}

function done(reply: Reply): Reply {
  if (reply.status > 201) throw new Error(`not stored: ${reply.status} ${reply.body.message}`);
  return reply;
}

function recorded({ status, body }: Reply): Recorded {
  if (![200, 201, 422].includes(status)) throw new Error(`${status} ${body.message}`);
  if (status !== 422) return { stores: fieldsOf(body) };
  const causes = (body.details?.causes ?? []).filter(
    ({ message = '' }) => !message.includes('some validation rules were not checked'),
  );
  return { refuses: sorted(causes.map(({ field = '' }) => plain(field))) };
}

function fieldsOf({ spec, status }: Written): Written {
  return { ...(spec !== undefined && { spec }), ...(status !== undefined && { status }) };
}

function ours({ definition, to, sent, stored }: ObjectWrite) {
  const oldObject = stored && objectOf(definition, 'a', stored);
  return admitObject(definition, objectOf(definition, 'a', sent), {
    ...(oldObject && { oldObject }),
    ...(to === 'status' && { subresource: 'status' }),
  });
}

export const objectTables = [
  table<ObjectWrite, Recorded>({
    topic: 'crds/objects/writes',
    cases: objectWrites,
    describe: ({ about, to, sent, stored }) =>
      `${about}: ${to} ${shown(sent)}${stored ? ` over ${shown(stored)}` : ''}`,
    async ask(client, cases) {
      for (const definition of new Set(cases.map((one) => one.definition))) {
        await serve(client, crdManifest(definition));
      }
      const verdicts: Recorded[] = [];
      for (const one of cases) verdicts.push(await serversVerdict(client, one));
      return verdicts;
    },
    disagreement(one, server) {
      const { errors, value } = ours(one);
      const blamed = sorted(errors.map(({ path }) => plain(formatPath(path))));
      const agree =
        'stores' in server
          ? blamed.length === 0 &&
            formatCanonicalJson(fieldsOf(value as Written)) === formatCanonicalJson(server.stores)
          : blamed.length > 0 && blamed.every((field) => isBlamed(field, server.refuses));
      return agree ? undefined : { blamed, value, server };
    },
  }),
];
