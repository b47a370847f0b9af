import { define } from '@tenantry/crd/define';
import { isMapping } from '@tenantry/kube/mapping';
import type {
  Client,
  ReadOptions,
  WatchEvent,
  WriteOptions,
} from '@tenantry/runtime/client/client';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import * as core from '@tenantry/runtime/kinds/core';
import { type Kind, scaleOf } from '@tenantry/runtime/kinds/kind';
import {
  integer,
  listMap,
  map,
  object,
  required,
  set,
  string,
} from '@tenantry/crd/schema/language';

/** Where a case runs: the simulated server or a real one. */
export interface Ground {
  readonly client: Client;
  /** The same server, with another field manager. */
  readonly other: Client;
  /** A namespace that exists and is empty. */
  readonly namespace: string;
}

/** A case that runs on both servers and must give the same result. */
export type ConformanceCase = readonly [
  sentence: string,
  run: (ground: Ground) => Promise<unknown>,
];

type Loose = Record<string, unknown>;

function loose(group: string, version: string, kind: string, scope: Kind['scope'] = 'Namespaced') {
  const of: Kind<Loose> = { group, version, kind, plural: `${kind.toLowerCase()}s`, scope };
  return of;
}

const ConfigMap = loose('', 'v1', 'ConfigMap');
const Secret = loose('', 'v1', 'Secret');
const Pod = loose('', 'v1', 'Pod');
const Namespace = loose('', 'v1', 'Namespace', 'Cluster');
const ServiceAccount = loose('', 'v1', 'ServiceAccount');
const ResourceQuota = loose('', 'v1', 'ResourceQuota');
const LimitRange = loose('', 'v1', 'LimitRange');
const Deployment = loose('apps', 'v1', 'Deployment');
const StatefulSet = loose('apps', 'v1', 'StatefulSet');
const ReplicaSet = loose('apps', 'v1', 'ReplicaSet');
const Lease = loose('coordination.k8s.io', 'v1', 'Lease');
const Event = loose('events.k8s.io', 'v1', 'Event');
const NetworkPolicy: Kind<Loose> = {
  ...loose('networking.k8s.io', 'v1', 'NetworkPolicy'),
  plural: 'networkpolicies',
};
const PodDisruptionBudget = loose('policy', 'v1', 'PodDisruptionBudget');
const Role = loose('rbac.authorization.k8s.io', 'v1', 'Role');
const RoleBinding = loose('rbac.authorization.k8s.io', 'v1', 'RoleBinding');

export const stall = define({
  group: 'conformance.example.com',
  kind: 'Stall',
  plural: 'stalls',
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('A stall.', {
        spec: object('What it should be.', {
          size: integer('How large.', { minimum: 0, maximum: 9, default: 1 }),
          goods: set('What is sold.', string('One.', { maxLength: 20 }), { maxItems: 5 }),
          shelves: listMap(
            'Where it lies.',
            ['name'],
            object('One.', {
              name: required(string('Its name.', { maxLength: 20 })),
              height: integer('How high.'),
            }),
            { maxItems: 5 },
          ),
          prices: map('What it costs.', integer('One.')),
        }),
        status: object('What is the case.', {
          size: integer('How large.'),
          state: string('The reported state.'),
          selector: string('Of its pods.'),
        }),
      }),
      subresources: {
        scale: {
          specReplicasPath: '.spec.size',
          statusReplicasPath: '.status.size',
          labelSelectorPath: '.status.selector',
        },
      },
      selectableFields: ['.spec.size'],
    },
  },
});

const Stall = loose('conformance.example.com', 'v1', 'Stall');
const Bare = loose('conformance.example.com', 'v1', 'Bare');

/** A kind without subresources. */
export const bare = define({
  group: 'conformance.example.com',
  kind: 'Bare',
  plural: 'bares',
  scope: 'Namespaced',
  versions: { v1: { schema: object('Bare.', { size: integer('How large.') }) } },
});

const status: ReadOptions & WriteOptions = { subresource: 'status' };
const scale: ReadOptions & WriteOptions = { subresource: 'scale' };
const containers = [{ name: 'one', image: 'one:1' }];
const podSpec = { automountServiceAccountToken: false, containers };
const template = { metadata: { labels: { app: 'one' } }, spec: podSpec };
const selector = { matchLabels: { app: 'one' } };
const at = (namespace: string, name = 'one') => ({ name, namespace });
const held = ['example.com/held'];

/** Returns the outcome of a call: its answer, or how it was rejected. */
export async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return (await call) ?? 'nothing';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, reason, details } = error;
    const causes = details.causes?.map((cause) => cause.reason).filter(Boolean) ?? [];
    const own = new Set<unknown>(['NamespaceTerminating', 'FieldManagerConflict']);
    return { refused: status, reason, causes: causes.filter((one) => own.has(one)) };
  }
}

/** Makes the calls one after the other and returns the outcome of each. */
async function each(...calls: readonly (() => Promise<unknown>)[]): Promise<unknown[]> {
  const outcomes: unknown[] = [];
  for (const call of calls) outcomes.push(await outcomeOf(call()));
  return outcomes;
}

/** Returns whether two answers have the same resource version. */
const isSame = (one: Versioned, other: Versioned): boolean =>
  one.metadata.resourceVersion === other.metadata.resourceVersion;
interface Versioned {
  readonly metadata: { readonly resourceVersion: string };
}

/** An object of each simulated kind, as a client writes it. */
const written: readonly (readonly [Kind<Loose>, Loose])[] = [
  [ConfigMap, { data: { a: 'b' } }],
  [Secret, { stringData: { a: 'b' } }],
  [ServiceAccount, {}],
  [ResourceQuota, { spec: { hard: { pods: '2' } } }],
  [LimitRange, { spec: { limits: [{ type: 'Pod', max: { cpu: '1' } }] } }],
  [Lease, { spec: { holderIdentity: 'me' } }],
  [
    NetworkPolicy,
    {
      spec: {
        podSelector: {},
        ingress: [{ ports: [{ port: 80 }, { port: 53, protocol: 'UDP' }] }],
        egress: [{ to: [{ podSelector: {} }] }],
      },
    },
  ],
  [PodDisruptionBudget, { spec: { maxUnavailable: 1, selector } }],
  [Role, { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }],
  [
    RoleBinding,
    {
      roleRef: { kind: 'Role', name: 'one', apiGroup: 'rbac.authorization.k8s.io' },
      subjects: [
        { kind: 'Group', name: 'all' },
        { kind: 'ServiceAccount', name: 'one', namespace: 'default' },
      ],
    },
  ],
  [
    Event,
    {
      type: 'Normal',
      reason: 'Tried',
      action: 'Try',
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'test',
      reportingInstance: 'test',
      regarding: { kind: 'ConfigMap', name: 'one', namespace: 'default' },
    },
  ],
  [Deployment, { spec: { selector, template } }],
  [StatefulSet, { spec: { selector, template, serviceName: 'one' } }],
  [ReplicaSet, { spec: { selector, template } }],
  [Stall, { spec: { goods: ['tea'] } }],
  [Bare, { size: 1 }],
];

const creations: readonly ConformanceCase[] = written.map(([kind, fields]) => [
  `a new ${kind.kind} gets what the server fills in`,
  ({ client, namespace }) => client.create(kind, { metadata: at(namespace), ...fields }),
]);

const pods: readonly ConformanceCase[] = [
  [
    'a new Pod gets what the server fills in',
    async ({ client, namespace }) => {
      const spec = {
        automountServiceAccountToken: false,
        initContainers: [{ name: 'first', image: 'first' }],
        containers: [
          {
            name: 'one',
            image: 'registry.example.com:5000/one:2',
            ports: [{ containerPort: 80 }],
            readinessProbe: { httpGet: { port: 80 } },
            livenessProbe: { tcpSocket: { port: 80 } },
            resources: { limits: { cpu: '1' } },
            env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
          },
        ],
        volumes: [{ name: 'settings', configMap: { name: 'settings' } }],
      };
      const { status: _, ...pod } = await client.create(Pod, { metadata: at(namespace), spec });
      return pod;
    },
  ],
  [
    'a spec of a Pod cannot be changed, but its image can',
    async ({ client, namespace }) => {
      const nowhere = { ...podSpec, nodeName: 'nowhere' };
      await client.create(Pod, { metadata: at(namespace), spec: nowhere });
      const changed = await client.patch(Pod, at(namespace), {
        spec: { containers: [{ name: 'one', image: 'one:2' }] },
      });
      return [
        changed.metadata.generation,
        await outcomeOf(client.patch(Pod, at(namespace), { spec: { hostNetwork: true } })),
      ];
    },
  ],
  [
    'a running Pod gets time to terminate, and a shorter time when it is deleted again',
    async ({ client, namespace }) => {
      await client.create(Pod, {
        metadata: at(namespace),
        spec: { ...podSpec, nodeName: 'nowhere' },
      });
      return each(
        () => client.delete(Pod, at(namespace)).then((pod) => pod?.metadata),
        () => client.delete(Pod, at(namespace)).then((pod) => pod?.metadata),
        () =>
          client.delete(Pod, at(namespace), { gracePeriodSeconds: 5 }).then((pod) => pod?.metadata),
        () => client.delete(Pod, at(namespace), { gracePeriodSeconds: 0 }),
        () => client.get(Pod, at(namespace)),
      );
    },
  ],
];

const refusedCreations: readonly ConformanceCase[] = [
  [
    'a create fails for an object that exists, in a namespace that does not, and without a name',
    async ({ client, namespace }) => {
      await client.create(ConfigMap, { metadata: at(namespace) });
      return each(
        () => client.create(ConfigMap, { metadata: at(namespace) }),
        () => client.create(ConfigMap, { metadata: at(`${namespace}-none`) }),
        () => client.create(ConfigMap, { metadata: { namespace } }),
        () => client.create(ConfigMap, { metadata: at(namespace, 'Not_A_Name') }),
        () => client.create(Stall, { metadata: at(namespace, 'Not_A_Name') }),
        () => client.create(loose('example.org', 'v1', 'Nothing'), { metadata: at(namespace) }),
      );
    },
  ],
  [
    'a name is generated from its prefix',
    async ({ client, namespace }) => {
      const metadata = { generateName: 'shop-', namespace };
      const { name, generateName } = (await client.create(ConfigMap, { metadata })).metadata;
      return [/^shop-[a-z0-9]{5}$/.test(name), generateName];
    },
  ],
  [
    'unknown fields are rejected, or dropped on request',
    ({ client, namespace }) =>
      each(
        () => client.create(ConfigMap, { metadata: at(namespace), colour: 'red' }),
        () => client.create(Stall, { metadata: at(namespace), spec: { colour: 'red' } }),
        () =>
          client.create(
            Stall,
            { metadata: at(namespace), spec: { colour: 'red' } },
            { fieldValidation: 'Ignore' },
          ),
      ),
  ],
  [
    'objects that the schema does not allow are rejected',
    ({ client, namespace }) =>
      each(
        () => client.create(Stall, { metadata: at(namespace), spec: { size: 10 } }),
        () => client.create(Stall, { metadata: at(namespace), spec: { size: 'x' } }),
        () => client.create(Stall, { metadata: at(namespace), spec: { goods: ['a', 'a'] } }),
      ),
  ],
  [
    'a dry run stores nothing',
    ({ client, namespace }) =>
      each(
        () =>
          client
            .create(ConfigMap, { metadata: at(namespace) }, { dryRun: true })
            .then((it) => it.kind),
        () => client.get(ConfigMap, at(namespace)),
      ),
  ],
  [
    'an object can have only one controller',
    ({ client, namespace }) => {
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'a', controller: true };
      const ownerReferences = [owner, { ...owner, uid: 'b' }];
      return outcomeOf(
        client.create(ConfigMap, { metadata: { ...at(namespace), ownerReferences } }),
      );
    },
  ],
];

const updates: readonly ConformanceCase[] = [
  [
    'an update with an old resource version or uid is a conflict',
    async ({ client, namespace }) => {
      const first = await client.create(Stall, { metadata: at(namespace) });
      const { resourceVersion, uid } = first.metadata;
      const spec = { size: 2 };
      return each(
        () => client.update(Stall, { metadata: { ...at(namespace), resourceVersion }, spec }),
        () => client.update(Stall, { metadata: { ...at(namespace), resourceVersion }, spec }),
        () => client.patch(Stall, at(namespace), { metadata: { resourceVersion }, spec }),
        () => client.patch(Stall, at(namespace), { metadata: { uid: `${uid}x` }, spec }),
        () => client.patch(Stall, at(namespace), { metadata: { uid }, spec: { size: 3 } }),
        () => client.patch(Stall, at(namespace), { metadata: { name: 'two' } }),
      );
    },
  ],
  [
    'an update can require a uid, and a patch cannot change it',
    async ({ client, namespace }) => {
      const { metadata } = await client.create(ConfigMap, { metadata: at(namespace) });
      const uid = `${metadata.uid}x`;
      return each(
        () => client.update(ConfigMap, { metadata: { ...at(namespace), uid } }),
        () => client.patch(ConfigMap, at(namespace), { metadata: { uid } }),
        () => client.apply(ConfigMap, { metadata: { ...at(namespace), uid } }),
        () => client.update(Stall, { metadata: { ...at(namespace), uid, resourceVersion: '1' } }),
      );
    },
  ],
  ...written.flatMap(([kind, fields]): ConformanceCase[] => [
    [
      `whether an update of a ${kind.kind} requires a resource version`,
      async ({ client, namespace }) => {
        await client.create(kind, { metadata: at(namespace), ...fields });
        const outcome = await outcomeOf(
          client.update(kind, { metadata: at(namespace), ...fields }),
        );
        return isMapping(outcome) && 'refused' in outcome ? outcome : 'done';
      },
    ],
    [
      `the outcome of an update of a ${kind.kind} that was deleted in the meantime`,
      async ({ client, namespace }) => {
        const { metadata } = await client.create(kind, { metadata: at(namespace), ...fields });
        const { uid, resourceVersion } = metadata;
        await client.delete(kind, at(namespace));
        return each(
          ...[{ uid, resourceVersion }, { uid }, { resourceVersion }].map((state) => async () => {
            const named = { ...at(namespace), ...state };
            await client.update(kind, { metadata: named, ...fields });
          }),
        );
      },
    ],
    [
      `whether an update creates a ${kind.kind} that does not exist`,
      async ({ client, namespace }) => {
        const outcome = await outcomeOf(
          client.update(kind, { metadata: at(namespace), ...fields }),
        );
        return isMapping(outcome) && 'refused' in outcome ? outcome : 'done';
      },
    ],
  ]),
  [
    'the generation counts changes of the spec, not those of metadata and status',
    async ({ client, namespace }) => {
      await client.create(Stall, { metadata: at(namespace) });
      const generation = (call: Promise<{ metadata: { generation?: number } }>) =>
        call.then(({ metadata }) => metadata.generation);
      return each(
        () => generation(client.patch(Stall, at(namespace), { spec: { size: 2 } })),
        () => generation(client.patch(Stall, at(namespace), { metadata: { labels: { a: 'b' } } })),
        () => generation(client.patch(Stall, at(namespace), { status: { size: 2 } }, status)),
        () => generation(client.patch(Stall, at(namespace), { spec: { size: 2 } })),
        () => generation(client.patch(Stall, at(namespace), { spec: { size: 3 } })),
      );
    },
  ],
  [
    'without a status subresource the generation counts every change',
    async ({ client, namespace }) => {
      await client.create(Bare, { metadata: at(namespace), size: 1 });
      return each(
        () => client.patch(Bare, at(namespace), { size: 2 }),
        () => client.patch(Bare, at(namespace), { size: 2 }, status),
        () => client.patch(Bare, at(namespace), { spec: { replicas: 2 } }, scale),
      );
    },
  ],
  [
    'the status can only be written through its subresource',
    async ({ client, namespace }) => {
      const metadata = { ...at(namespace), labels: { a: 'b' } };
      await client.create(Stall, { metadata, spec: { size: 1 }, status: { size: 5 } });
      return each(
        () => client.get(Stall, at(namespace)),
        () => client.patch(Stall, at(namespace), { status: { size: 4 } }),
        () =>
          client.patch(
            Stall,
            at(namespace),
            { metadata: { labels: { c: 'd' } }, spec: { size: 9 }, status: { size: 4 } },
            status,
          ),
        () => client.patch(Stall, at(namespace), { status: { size: null } }, status),
        () => client.patch(Stall, at(namespace, 'two'), { status: { size: 4 } }, status),
        () => client.patch(ConfigMap, at(namespace), { status: {} }, status),
      );
    },
  ],
  [
    'undefined fields are not sent',
    async ({ client, namespace }) => {
      const nothing = new Map<string, string>().get('nothing');
      const metadata = { ...at(namespace), annotations: undefined, resourceVersion: nothing };
      const optional = nothing === undefined ? undefined : { a: nothing };
      const made = await client.create(core.ConfigMap, {
        metadata,
        data: { a: 'b' },
        binaryData: optional,
        immutable: undefined,
      });
      const patched = await client.patch(core.ConfigMap, at(namespace), {
        metadata: { labels: undefined },
        data: { a: nothing, c: 'd' },
        immutable: undefined,
      });
      const applied = await client.apply(core.ConfigMap, {
        metadata: { ...at(namespace), labels: undefined },
        data: optional,
      });
      return [made, patched, applied].map(({ data, immutable }) => ({ data, immutable }));
    },
  ],
  [
    'a write that changes nothing makes no new version',
    async ({ client, namespace }) => {
      const first = await client.create(Stall, { metadata: at(namespace), spec: { size: 1 } });
      const again = await client.update(Stall, first);
      const patched = await client.patch(Stall, at(namespace), { spec: { size: 1 } });
      const map = await client.create(ConfigMap, { metadata: at(namespace), data: { a: 'b' } });
      const same = await client.patch(ConfigMap, at(namespace), { data: { a: 'b' } });
      return [isSame(first, again), isSame(first, patched), isSame(map, same)];
    },
  ],
  [
    'a merge patch removes with null, replaces lists whole, and leaves the rest',
    async ({ client, namespace }) => {
      const spec = { goods: ['a', 'b'], prices: { a: 1, b: 2 } };
      await client.create(Stall, { metadata: at(namespace), spec });
      return each(
        () =>
          client.patch(Stall, at(namespace), { spec: { goods: ['c'], prices: { a: null, c: 3 } } }),
        () => client.patch(Stall, at(namespace), { spec: { prices: null, size: null } }),
        () => client.patch(Stall, at(namespace), { spec: { size: 10 } }),
        () => client.patch(Stall, at(namespace, 'two'), { spec: { size: 1 } }),
      );
    },
  ],
];

const deletions: readonly ConformanceCase[] = [
  [
    'an object is deleted with its last finalizer, and accepts no new finalizer before',
    async ({ client, namespace }) => {
      const metadata = { ...at(namespace), finalizers: held };
      await client.create(Stall, { metadata });
      return each(
        () => client.delete(Stall, at(namespace)),
        () => client.delete(Stall, at(namespace)),
        () => client.create(Stall, { metadata: at(namespace) }),
        () =>
          client.patch(Stall, at(namespace), {
            metadata: { finalizers: [...held, 'example.com/new'] },
          }),
        () => client.patch(Stall, at(namespace), { spec: { size: 4 } }),
        () => client.patch(Stall, at(namespace), { metadata: { finalizers: [] } }),
        () => client.get(Stall, at(namespace)),
        () => client.delete(Stall, at(namespace)),
      );
    },
  ],
  [
    'a deletion can require a uid and a resource version',
    async ({ client, namespace }) => {
      const { metadata } = await client.create(Stall, { metadata: at(namespace) });
      const { uid, resourceVersion } = metadata;
      return each(
        () => client.delete(Stall, at(namespace), { preconditions: { uid: `${uid}x` } }),
        () => client.delete(Stall, at(namespace), { preconditions: { resourceVersion: '1' } }),
        () => client.delete(Stall, at(namespace), { dryRun: true }),
        () => client.delete(Stall, at(namespace), { preconditions: { uid, resourceVersion } }),
        () => client.get(Stall, at(namespace)),
      );
    },
  ],
  [
    'a collection delete removes the selected objects',
    async ({ client, namespace }) => {
      for (const name of ['a', 'b', 'c']) {
        await client.create(ConfigMap, {
          metadata: { ...at(namespace, name), labels: { of: name === 'c' ? 'us' : 'them' } },
        });
      }
      await client.deleteCollection(ConfigMap, { namespace, labelSelector: 'of=them' });
      const { items } = await client.list(ConfigMap, { namespace, labelSelector: 'of' });
      return items.map(({ metadata }) => metadata.name);
    },
  ],
  [
    'a namespace that is being deleted accepts no new objects',
    async ({ client, namespace }) => {
      const name = `${namespace}-going`;
      await client.create(Namespace, { metadata: { name } });
      await client.create(Stall, { metadata: { ...at(name), finalizers: held } });
      const deleted = await client.delete(Namespace, { name });
      const late = await outcomeOf(client.create(Stall, { metadata: at(name, 'late') }));
      await client.patch(Stall, at(name), { metadata: { finalizers: [] } });
      return [deleted?.status, late];
    },
  ],
];

const scales: readonly ConformanceCase[] = [
  [
    'the scale subresource is read and written by the paths in the schema',
    async ({ client, namespace }) => {
      await client.create(Stall, { metadata: at(namespace), spec: { size: 2 } });
      await client.patch(Stall, at(namespace), { status: { size: 1, selector: 'a=b' } }, status);
      const Scale = scaleOf(Stall);
      return each(
        () => client.get(Scale, at(namespace)),
        () => client.patch(Scale, at(namespace), { spec: { replicas: 5 } }),
        () => client.get(Stall, at(namespace)),
        () => client.patch(Scale, at(namespace), { spec: { replicas: 10 } }),
        () => client.patch(Scale, at(namespace), { spec: { replicas: -1 } }),
        () => client.get(ConfigMap, at(namespace), scale),
      );
    },
  ],
  [
    'a scale of zero replicas omits the field',
    async ({ client, namespace }) => {
      await client.create(ReplicaSet, {
        metadata: at(namespace),
        spec: { replicas: 0, selector, template },
      });
      const Scale = scaleOf(ReplicaSet);
      const { spec, status } = await client.get(Scale, at(namespace));
      return [spec, status];
    },
  ],
];

const values = ({ spec, metadata }: Loose): unknown => [spec, (metadata as Loose)['labels']];

const applies: readonly ConformanceCase[] = [
  [
    'applying creates fields, and removes those that are no longer applied',
    async ({ client, namespace }) => {
      const labels = { a: 'b', c: 'd' };
      const spec = { size: 2, goods: ['a', 'b'], prices: { a: 1, b: 2 } };
      return each(
        () => client.apply(Stall, { metadata: { ...at(namespace), labels }, spec }),
        () =>
          client.apply(Stall, {
            metadata: { ...at(namespace), labels: { a: 'b' } },
            spec: { goods: ['b', 'c'], prices: { b: 3 } },
          }),
        () => client.apply(Stall, { metadata: at(namespace) }),
      );
    },
  ],
  [
    'fields of other managers stay, and are taken over only by force',
    async ({ client, other, namespace }) => {
      const metadata = at(namespace);
      return each(
        () => client.apply(Stall, { metadata, spec: { size: 2, prices: { a: 1 } } }).then(values),
        () => other.apply(Stall, { metadata, spec: { size: 2, prices: { b: 2 } } }).then(values),
        () => other.apply(Stall, { metadata, spec: { size: 3 } }, { force: false }),
        () => other.apply(Stall, { metadata, spec: { size: 3 } }, { force: true }).then(values),
        () => client.apply(Stall, { metadata, spec: { prices: { a: 1 } } }).then(values),
        () => client.apply(Stall, { metadata, spec: { size: 4 } }),
        () => other.apply(Stall, { metadata, spec: {} }).then(values),
      );
    },
  ],
  [
    'a field that someone changed without applying belongs to them until it is applied again',
    async ({ client, other, namespace }) => {
      const metadata = at(namespace);
      const spec = { size: 2, shelves: [{ name: 'a', height: 1 }] };
      return each(
        () => client.apply(Stall, { metadata, spec }).then(values),
        () => other.patch(Stall, metadata, { spec: { size: 3 } }).then(values),
        () => client.apply(Stall, { metadata, spec }),
        () => client.apply(Stall, { metadata, spec }, { force: true }).then(values),
        () => other.patch(Stall, metadata, { spec: { prices: { x: 1 } } }).then(values),
        () => client.apply(Stall, { metadata, spec: { size: 2 } }).then(values),
      );
    },
  ],
  [
    'lists are merged by the keys of their items',
    async ({ client, other, namespace }) => {
      const metadata = at(namespace);
      const shelf = (name: string, height: number) => ({ name, height });
      return each(
        () =>
          client
            .apply(Stall, { metadata, spec: { shelves: [shelf('a', 1), shelf('b', 1)] } })
            .then(values),
        () => other.apply(Stall, { metadata, spec: { shelves: [shelf('c', 1)] } }).then(values),
        () => client.apply(Stall, { metadata, spec: { shelves: [shelf('b', 2)] } }).then(values),
        () => other.apply(Stall, { metadata, spec: { goods: ['x'] } }).then(values),
      );
    },
  ],
  [
    'applying the same again makes no new version',
    async ({ client, namespace }) => {
      const object = { metadata: at(namespace), spec: { size: 2, goods: ['a'] } };
      const first = await client.apply(Stall, object);
      const again = await client.apply(Stall, object);
      const deployment = { metadata: at(namespace), spec: { replicas: 0, selector, template } };
      const one = await client.apply(StatefulSet, deployment, { dryRun: true });
      return [isSame(first, again), one.spec];
    },
  ],
  [
    'a pod template is restored where it was changed and keeps fields that are not applied',
    async ({ client, other, namespace }) => {
      const metadata = at(namespace);
      const applied = (spec: Loose) =>
        client
          .apply(ReplicaSet, { metadata, spec: { selector, template: { ...template, spec } } })
          .then((it) => it['spec']);
      const probe = { tcpSocket: { port: 80 } };
      const [container] = containers;
      return each(
        () =>
          applied({
            ...podSpec,
            containers: [{ ...container, readinessProbe: probe, env: [{ name: 'A', value: 'b' }] }],
          }),
        () => other.patch(ReplicaSet, metadata, { spec: { replicas: 0 } }).then((it) => it['spec']),
        () => applied(podSpec),
        () => applied({ ...podSpec, containers: [{ name: 'two', image: 'two:1' }] }),
      );
    },
  ],
  [
    'a status is applied through its subresource',
    async ({ client, namespace }) => {
      const metadata = at(namespace);
      return each(
        () => client.apply(Stall, { metadata, status: { size: 1 } }, status),
        () => client.apply(Stall, { metadata, spec: { size: 2 } }),
        () => client.apply(Stall, { metadata, spec: { size: 5 }, status: { size: 1 } }, status),
        () => client.apply(Stall, { metadata, status: { state: 'open' } }, status),
        () => client.apply(Stall, { metadata: { ...metadata, uid: 'x' } }),
        () => client.apply(Stall, { metadata: { ...at(namespace, 'two'), uid: 'x' } }),
      );
    },
  ],
];

const namesIn = (items: readonly { readonly metadata: { readonly name: string } }[]): string[] =>
  items.map(({ metadata }) => metadata.name);

const reads: readonly ConformanceCase[] = [
  [
    'lists can be selected by labels and fields, and are ordered by name',
    async ({ client, namespace }) => {
      for (const [name, size, of] of [
        ['c', 1, 'us'],
        ['a', 2, 'us'],
        ['b', 2, 'them'],
      ] as const) {
        await client.create(Stall, {
          metadata: { ...at(namespace, name), labels: { of } },
          spec: { size },
        });
      }
      const list = (options: object) => () =>
        client.list(Stall, { namespace, ...options }).then(({ items }) => namesIn(items));
      return each(
        list({}),
        list({ labelSelector: 'of=us' }),
        list({ labelSelector: 'of!=us' }),
        list({ labelSelector: 'of in (them, me)' }),
        list({ labelSelector: '!of' }),
        list({ labelSelector: 'of===' }),
        list({ fieldSelector: 'metadata.name=a' }),
        list({ fieldSelector: 'metadata.name!=a' }),
        list({ fieldSelector: 'spec.size=2' }),
        list({ fieldSelector: 'spec.goods=2' }),
        list({ labelSelector: 'of=us', fieldSelector: 'spec.size=2' }),
      );
    },
  ],
  [
    'all pages of a list show the same state',
    async ({ client, namespace }) => {
      for (const name of ['a', 'b', 'c'])
        await client.create(ConfigMap, { metadata: at(namespace, name) });
      const selected = { namespace, fieldSelector: 'metadata.name!=kube-root-ca.crt' };
      const first = await client.list(ConfigMap, { ...selected, limit: 2 });
      await client.delete(ConfigMap, at(namespace, 'c'));
      const second = await client.list(ConfigMap, {
        ...selected,
        limit: 2,
        continue: first.continue,
      });
      return [
        namesIn(first.items),
        namesIn(second.items),
        second.continue,
        first.resourceVersion === second.resourceVersion,
        await outcomeOf(client.list(ConfigMap, { ...selected, continue: 'nonsense' })),
      ];
    },
  ],
  [
    'a metadata list contains metadata only',
    async ({ client, namespace }) => {
      await client.create(Stall, { metadata: at(namespace), spec: { size: 2 } });
      return (await client.list(Stall, { namespace, metadataOnly: true })).items;
    },
  ],
  [
    'a watch delivers exactly the changes after a version',
    async ({ client, namespace }) => {
      await client.create(Stall, { metadata: at(namespace, 'before') });
      const { resourceVersion } = await client.list(Stall, { namespace });
      await client.create(Stall, { metadata: at(namespace) });
      await client.patch(Stall, at(namespace), { spec: { size: 2 } });
      await client.delete(Stall, at(namespace));
      return collectEvents(client.watch(Stall, { namespace, resourceVersion }), 3);
    },
  ],
  [
    'an object that starts to match a selector is an added event, and one that stops is a deleted event',
    async ({ client, namespace }) => {
      const { resourceVersion } = await client.list(Stall, { namespace });
      const label = (of: string | null) =>
        client.patch(Stall, at(namespace), { metadata: { labels: { of } } });
      await client.create(Stall, { metadata: at(namespace) });
      await label('us');
      await client.patch(Stall, at(namespace), { spec: { size: 2 } });
      await label('them');
      await label('us');
      const options = { namespace, resourceVersion, labelSelector: 'of=us' };
      return collectEvents(client.watch(Stall, options), 4);
    },
  ],
  [
    'a watch can begin with all existing objects',
    async ({ client, namespace }) => {
      await client.create(Stall, { metadata: at(namespace, 'a') });
      await client.create(Stall, { metadata: at(namespace, 'b') });
      const asked = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } as const;
      const streamed = await collectEvents(client.watch(Stall, { namespace, ...asked }), 3);
      return [streamed, await collectEvents(client.watch(Stall, { namespace }), 2)];
    },
  ],
  [
    'a watch from an expired version is rejected',
    async ({ client, namespace }) => {
      const watch = client.watch(Stall, { namespace, resourceVersion: '1' });
      const outcome = await outcomeOf(collectEvents(watch, 1));
      return isMapping(outcome) ? outcome['refused'] : outcome;
    },
  ],
];

/** Returns the first events of a watch, without the periodic bookmarks. */
async function collectEvents(
  watch: AsyncIterable<WatchEvent<Kind<Loose>>>,
  count: number,
): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const event of watch) {
    if (event.type !== 'BOOKMARK') {
      const { metadata, spec } = event.object;
      events.push([event.type, metadata.name, metadata.labels, spec]);
    } else if (event.isInitialEventsEnd) events.push('all there is');
    if (events.length === count) break;
  }
  return events;
}

/** All cases. Each runs in its own namespace. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...creations,
  ...pods,
  ...refusedCreations,
  ...updates,
  ...deletions,
  ...scales,
  ...applies,
  ...reads,
];

/** Removes what differs between runs: versions, uids, times and the name of the namespace. */
export function comparable(value: unknown, namespace: string): unknown {
  const text = JSON.stringify(value, (name, part: unknown) => {
    if (name === 'resourceVersion')
      return part === '' || part === undefined ? undefined : 'a version';
    if (name === 'uid') return 'a uid';
    if (/Timestamp$|^time$|TransitionTime$/.test(name)) return 'a time';
    if (name === 'managedFields') return undefined;
    return part;
  });
  return text === undefined ? undefined : (JSON.parse(text.replaceAll(namespace, 'NS')) as unknown);
}
