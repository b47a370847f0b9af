import { define } from '@tenantry/crd/define';
import { crdManifest } from '@tenantry/crd/definition';
import {
  conditions,
  dateTime,
  duration,
  keySelector,
  labelSelector,
  localObjectReference,
  objectMetadata,
  quantity,
} from '@tenantry/crd/schema/language/kubernetes';
import { object } from '@tenantry/crd/schema/language';
import { validate } from '@tenantry/crd/schema/validate';
import { serve, TRIAL } from '../../../cluster/crds.ts';
import { shown, table } from '../../table.ts';

const spec = object('Everything that is ready-made.', {
  conditions: conditions(),
  at: dateTime('When.'),
  wait: duration('How long.'),
  size: quantity('How much.'),
  pods: labelSelector(),
  config: localObjectReference('A ConfigMap.'),
  secret: keySelector('An entry of a Secret.'),
  template: objectMetadata(),
});

const kind = define({
  group: 'readymade.example.com',
  kind: 'Readymade',
  plural: 'readymades',
  scope: 'Cluster',
  versions: { v1: { schema: object('A trial.', { spec }) } },
});

const condition = {
  type: 'Ready',
  status: 'True',
  lastTransitionTime: '2026-01-31T12:00:00Z',
  reason: 'AsDeclared',
  message: '',
};

const accepted: readonly object[] = [
  { conditions: [condition, { ...condition, type: 'example.com/Synced', observedGeneration: 7 }] },
  ...['1h30m', '500ms', '0', '1.5h', '-2s', '1us', '1µs'].map((wait) => ({ wait })),
  ...['500m', '2Gi', 10, '1e3', '-1', '.5'].map((size) => ({ size })),
  { pods: {} },
  { pods: { matchLabels: { app: 'x' }, matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
  { config: { name: 'settings' }, secret: { name: 'login', key: 'password', optional: true } },
  { at: '2026-01-31T12:00:00Z', template: { labels: { a: 'b' }, annotations: { a: '' } } },
];

const refused: readonly object[] = [
  { conditions: [condition, condition] },
  { conditions: [{ ...condition, status: 'Yes' }] },
  { conditions: [{ ...condition, reason: '' }] },
  { conditions: [{ ...condition, type: '' }] },
  { conditions: [{ ...condition, observedGeneration: -1 }] },
  { conditions: [{ type: 'Ready', status: 'True' }] },
  ...['', '1', 'h', '1d', '1h ', 'forever'].map((wait) => ({ wait })),
  ...['', 'much', '1Q', '1 Gi', 0.5].map((size) => ({ size })),
  { pods: { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
  { pods: { matchLabels: { app: 'no good' } } },
  { config: {} },
  { secret: { name: 'login' } },
  { at: 'yesterday' },
];

/** The schemas of the fields, and whether the object is to be accepted. */
interface ReadymadeCase {
  readonly fields: object;
  readonly isGood: boolean;
}

const cases: readonly ReadymadeCase[] = [
  ...accepted.map((fields) => ({ fields, isGood: true })),
  ...refused.map((fields) => ({ fields, isGood: false })),
];

/** Cases that a ready-made schema accepts exactly if its Go type does. */
export const readymadeTables = [
  table<ReadymadeCase, 'takes' | 'refuses'>({
    topic: 'schema/readymade/values',
    cases,
    describe: ({ fields }) => shown(fields),
    async ask(client, cases) {
      await serve(client, crdManifest(kind));
      const head = { apiVersion: 'readymade.example.com/v1', kind: 'Readymade' };
      const replies = cases.map(({ fields }) =>
        client.create({ ...head, metadata: { name: 'a' }, spec: { ...fields } }, TRIAL),
      );
      const statuses = (await Promise.all(replies)).map(({ status }) => status);
      return statuses.map((status) => (status === 201 ? 'takes' : 'refuses'));
    },
    disagreement({ fields, isGood }, server) {
      const mistakes = validate(spec, fields).length;
      const agree = isGood === (mistakes === 0) && isGood === (server === 'takes');
      return agree ? undefined : { isGood, mistakes, server };
    },
  }),
];
