import { crdManifest } from '@tenantry/crd/definition';
import { tenant } from '../../../../crds/tenant.ts';
import { validate } from '@tenantry/crd/schema/validate';
import { accepts, serve } from '../../../cluster/crds.ts';
import { table } from '../../table.ts';
import { exceptions, type Exception } from './exceptions.ts';

const objectOf = ({ metadata = { name: 'a' }, spec }: Exception['example']) => ({
  apiVersion: tenant.apiVersion,
  kind: tenant.kind,
  metadata,
  spec,
});

/** What a declaration and the API server do not agree on is known, and so is the reason. */
export const declarationTables = [
  table<Exception, 'takes' | 'refuses'>({
    topic: 'crds/tenantry/exceptions',
    cases: exceptions,
    describe: ({ reason }) => reason,
    async ask(client, cases) {
      await serve(client, crdManifest(tenant));
      const answers = cases.map(({ example }) => accepts(client, tenant, objectOf(example)));
      return (await Promise.all(answers)).map((isTaken) => (isTaken ? 'takes' : 'refuses'));
    },
    disagreement({ refusedBy, example }, server) {
      const ours = validate(tenant.file, objectOf(example)).length === 0 ? 'takes' : 'refuses';
      const isKnown = ours !== server && (refusedBy === 'us') === (ours === 'refuses');
      return isKnown ? undefined : { refusedBy, ours, server };
    },
  }),
];
