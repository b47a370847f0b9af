import { define } from '@tenantry/crd/define';
import type { Definition } from '@tenantry/crd/definition';
import { enumOf, integer, object, required, set, string } from '@tenantry/crd/schema/language';

const spec = required(
  object('', {
    size: required(integer('', { minimum: 1 })),
    label: string('', { default: 'none', maxLength: 9 }),
  }),
);
const status = object(
  '',
  {
    phase: enumOf('', ['Ready', 'Failed']),
    seen: integer('', { default: 0 }),
    zones: set('', string('', { maxLength: 9 }), { maxItems: 3 }),
  },
  { rules: [{ rule: '!has(oldSelf.phase) || has(self.phase)', message: 'must keep its phase' }] },
);
const holds = [
  { rule: '!has(self.status) || self.status.seen <= self.spec.size', message: 'must be seen' },
];

const kinds = {
  'a status of its own': define({
    group: 'objects.example.com',
    kind: 'Box',
    plural: 'boxes',
    scope: 'Cluster',
    versions: { v1: { schema: object('', { spec, status }, { rules: holds }) } },
  }),
  'a status of its own that is mandatory': define({
    group: 'objects.example.com',
    kind: 'Case',
    plural: 'cases',
    scope: 'Cluster',
    versions: { v1: { schema: object('', { spec, status: required(status) }) } },
  }),
  'a status within the object': define({
    group: 'objects.example.com',
    kind: 'Chest',
    plural: 'chests',
    scope: 'Cluster',
    versions: {
      v1: {
        schema: object('', { spec, status }, { rules: holds }),
        subresources: { status: false },
      },
    },
  }),
} as const;

/** The fields of an object beside its head. */
export interface Written {
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** One write of an object. */
export interface ObjectWrite {
  readonly about: keyof typeof kinds;
  readonly definition: Definition;
  /** `create` needs nothing stored; the others do. */
  readonly to: 'create' | 'update' | 'status';
  readonly stored?: Written;
  readonly sent: Written;
}

type Case = readonly [to: ObjectWrite['to'], sent: Written, stored?: Written];

const small = { size: 1 };
const ready = { phase: 'Ready' };
const stored = { spec: small, status: ready };

const creations: readonly Case[] = [
  ['create', { spec: small }],
  ['create', { spec: small, status: ready }],
  ['create', { spec: small, status: { phase: 'Lost' } }],
  ['create', { spec: small, status: { seen: 2 } }],
  ['create', { spec: small, status: { zones: ['a', 'a'] } }],
  ['create', { spec: small, status: 'Ready' }],
  ['create', { spec: small, status: null }],
  ['create', { spec: { size: 0 }, status: { phase: 'Lost' } }],
];
const updates: readonly Case[] = [
  ['update', { spec: { size: 2 } }, stored],
  ['update', { spec: { size: 2 }, status: { phase: 'Lost' } }, stored],
  ['update', { spec: { size: 2 }, status: { phase: 'Failed' } }, stored],
  ['update', { spec: { size: 2 }, status: { phase: 'Lost' } }, { spec: small }],
  ['update', { spec: small, status: ready }, { spec: { size: 3 }, status: { seen: 3 } }],
];
const reports: readonly Case[] = [
  ['status', { spec: small, status: { phase: 'Failed' } }, stored],
  ['status', { spec: small, status: { phase: 'Lost' } }, stored],
  ['status', { spec: small, status: { seen: 1 } }, stored],
  ['status', { spec: small, status: { seen: 1 } }, { spec: small }],
  ['status', { spec: small, status: { seen: 2 } }, { spec: small }],
  ['status', { spec: { size: 9 }, status: { seen: 2 } }, { spec: small }],
  ['status', { spec: { size: 0 }, status: { phase: 'Failed' } }, stored],
  ['status', { status: { phase: 'Failed' } }, stored],
  ['status', { spec: small }, stored],
  ['status', { spec: small, status: { zones: ['a', 'a'] } }, { spec: small }],
  ['status', { spec: small, status: 'Ready' }, stored],
];

function writes(about: keyof typeof kinds, cases: readonly Case[]): ObjectWrite[] {
  const definition = kinds[about] as unknown as Definition;
  return cases.map(([to, sent, before]) => ({
    about,
    definition,
    to,
    sent,
    ...(before && { stored: before }),
  }));
}

export const objectWrites: readonly ObjectWrite[] = [
  ...writes('a status of its own', [...creations, ...updates, ...reports]),
  ...writes('a status of its own that is mandatory', creations),
  ...writes('a status within the object', [...creations, ...updates]),
];
