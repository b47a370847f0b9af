import { expect, test } from '@jest/globals';
import {
  listClaimedNamespaces,
  toDeclaration,
  resolveClaimant,
  KnownClasses,
} from '../../../operator/fleet/declarations.ts';
import { fleetOf, liveTenant, liveClass, platform } from '../given.ts';
import { Fleet } from '../../../model/fleet.ts';
import type { TenantClassSpec } from '../../../crds/types.ts';
import type { KubeObject } from '@tenantry/kube/object';

const tenant = (name: string, day: number) =>
  liveTenant({}, { name, creationTimestamp: `2026-01-0${day}T00:00:00Z` });
const [young, old] = [tenant('a', 2), tenant('b', 1)];
const holder = (label?: string, ...of: ReturnType<typeof tenant>[]) =>
  resolveClaimant(of, label)?.metadata.name;

test('a namespace belongs to the tenant in its label, however new that tenant is', () => {
  expect(holder('a', young, old)).toBe('a');
  expect(holder('b', young, old)).toBe('b');
});

test('an unlabeled namespace belongs to the oldest tenant that names it, and on a tie to the first by name', () => {
  expect(holder(undefined, young, old)).toBe('b');
  expect(holder(undefined, old, young)).toBe('b');
  expect(holder(undefined, tenant('d', 1), tenant('c', 1))).toBe('c');
});

test('the label of a tenant that does not name the namespace is ignored, and an unnamed namespace has no owner', () => {
  expect(holder('undeclaredObject', young, old)).toBe('b');
  expect(holder('undeclaredObject')).toBeUndefined();
  expect(holder('')).toBeUndefined();
});

test('a tenant claims the namespaces that it names, with its prefix, and by default one of its own name', () => {
  const namespaces = [{ name: 'dev' }, { name: 'prod' }];
  expect(listClaimedNamespaces(liveTenant({ namespacePrefix: 'pay-', namespaces }))).toEqual([
    'pay-dev',
    'pay-prod',
  ]);
  expect(listClaimedNamespaces(liveTenant({}))).toEqual(['acme']);
  const { spec: _, ...bare } = liveTenant({});
  expect(listClaimedNamespaces(bare as never)).toEqual(['acme']);
});

test('labels and annotations of a Tenant are part of its declaration, and cluster metadata is not', () => {
  const live = liveTenant(
    { className: 'x' },
    { labels: { a: 'b' }, status: {}, annotations: { c: 'd' } },
  );
  expect(toDeclaration(live)).toEqual({
    name: 'acme',
    labels: { a: 'b' },
    annotations: { c: 'd' },
    spec: { className: 'x' },
  });
});

test('keys that kubectl, Argo CD, Flux and Helm add to a Tenant are not part of its declaration', () => {
  const theirs = {
    labels: {
      'app.kubernetes.io/instance': 'tenants',
      'app.kubernetes.io/managed-by': 'Helm',
      'kustomize.toolkit.fluxcd.io/name': 'tenants',
    },
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'argocd.argoproj.io/tracking-id': 'tenants:tenantry.dev/Tenant:/acme',
      'meta.helm.sh/release-name': 'tenants',
    },
  };
  const own = {
    labels: { 'example.com/compliance': 'cards', 'team.k8s.io/tier': 'a' },
    annotations: { 'example.com/handbook': 'x' },
  };
  const live = liveTenant(
    {},
    {
      labels: { ...theirs.labels, ...own.labels },
      annotations: { ...theirs.annotations, ...own.annotations },
    },
  );
  expect(toDeclaration(live)).toEqual({ name: 'acme', spec: {}, ...own });
  const bare = { name: 'acme', spec: {}, labels: {}, annotations: {} };
  expect(toDeclaration(liveTenant({}, theirs))).toEqual(bare);
  const { findings } = fleetOf().desired(toDeclaration(liveTenant({}, theirs)));
  expect(findings).toEqual([]);
});

const today = { tenant: liveTenant({}), now: new Date('2026-01-01') };

const pods = (most: number): TenantClassSpec => ({ defaults: { quota: { hard: { pods: most } } } });

/** Returns the errors of a tenant of each of these classes, or the pods in its quota. */
function asked(
  known: KnownClasses,
  classes: readonly ReturnType<typeof liveClass>[],
  name: string,
) {
  const { namespaces, findings } = known
    .buildFleet(classes, today)
    .desired({ name: 'acme', spec: { className: name } });
  const error = findings.find(({ severity }) => severity === 'error');
  const quota = namespaces[0]?.objects.find(({ kind }) => kind === 'ResourceQuota');
  return error?.message ?? (quota?.['spec'] as { hard: { pods: string } } | undefined)?.hard.pods;
}

test('a class is parsed again after a change, and only then', () => {
  const known = new KnownClasses(platform);
  const first = known.buildFleet([liveClass('standard', pods(1)), liveClass('b', {})], today);
  expect(known.buildFleet([liveClass('b', {}), liveClass('standard', pods(1))], today)).toBe(first);
  const changed = [liveClass('b', {}), liveClass('standard', pods(2), '2')];
  expect(known.buildFleet(changed, today)).not.toBe(first);
  expect(asked(known, changed, 'standard')).toBe('2');
  expect(known.buildFleet(changed.slice(1), today)).not.toBe(known.buildFleet(changed, today));
});

test('a new day gives another fleet to tenants with an end date in themselves or their class, and to no others', () => {
  const known = new KnownClasses(platform);
  const exceptions = [{ tenants: ['x'], reason: 'a', allow: {}, until: '2026-06-01' }];
  const classes = [liveClass('standard', {}), liveClass('dated', { exceptions })];
  const [now, later] = [new Date('2026-01-01'), new Date('2026-01-02')];
  const temporary = [{ users: ['a'], until: '2026-01-01' }];
  const ending = liveTenant({ access: { admins: { temporary } } });
  const lasting = liveTenant({ access: { admins: { users: ['a'] } } });
  const dated = liveTenant({ className: 'dated' });
  const first = known.buildFleet(classes, { tenant: ending, now });
  const next = known.buildFleet(classes, { tenant: ending, now: later });
  expect(known.buildFleet(classes, { tenant: lasting, now: later })).toBe(first);
  expect(next).not.toBe(first);
  expect(known.buildFleet(classes, { tenant: dated, now: later })).toBe(next);
  expect([first, next].map((fleet) => fleet.platform.date)).toEqual(['2026-01-01', '2026-01-02']);
});

test('a class that was deleted and created again is a different one', () => {
  const known = new KnownClasses(platform);
  const one = liveClass('standard', pods(1));
  const first = known.buildFleet([one], today);
  const again = { ...one, metadata: { ...one.metadata, uid: 'other' } };
  expect(known.buildFleet([again], today)).not.toBe(first);
});

test('an invalid class is an error for tenants that choose it, and does not hide other classes', () => {
  const classes = [
    liveClass('broken', { defaults: { quota: { hard: { pods: 'half' } } } } as never),
    liveClass('circle', { extends: 'circle' }),
    liveClass('good', pods(3)),
    liveClass('shapeless', 7 as never),
    liveClass('unknown', { colour: 'red' } as never),
  ];
  const known = new KnownClasses(platform);
  expect(asked(known, classes, 'good')).toBe('3');
  for (const name of ['broken', 'circle', 'shapeless', 'unknown', 'none']) {
    expect([name, asked(known, classes, name)]).toEqual([name, expect.any(String)]);
  }
});

test('a class includes its parent class and is invalid without it', () => {
  const known = new KnownClasses(platform);
  const child = liveClass('a-child', { extends: 'parent' });
  expect(asked(known, [child, liveClass('parent', pods(4))], 'a-child')).toBe('4');
  expect(asked(known, [child, liveClass('parent', pods(5), '2')], 'a-child')).toBe('5');
  expect(asked(known, [child], 'a-child')).toEqual(expect.stringContaining('parent'));
});

test('presets, exceptions and defaults of a class render as in the generator', () => {
  const spec: TenantClassSpec = {
    presets: {
      resources: [
        {
          name: 'settings',
          parameters: {
            type: 'object',
            properties: { mode: { type: 'string', default: 'plain' }, on: { type: 'boolean' } },
            'x-kubernetes-validations': [{ rule: "self.mode != 'none'" }],
          },
          manifests: [
            {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              metadata: { name: '{tenant}-settings' },
              data: { mode: '{mode}', of: '{namespace} on {cluster}' },
            },
          ],
        },
      ],
    },
    defaults: { labels: { 'example.com/id': '{namespace}' } },
    ceilings: { quota: { pods: 5 } },
    exceptions: [{ tenants: ['acme'], reason: 'It moves.', ceilings: { quota: { pods: 9 } } }],
  };
  const acme = (mode?: string) => ({
    name: 'acme',
    spec: {
      className: 'web',
      quota: { hard: { pods: 8 } },
      resources: [{ preset: 'settings', ...(mode !== undefined && { values: { mode } }) }],
    },
  });
  const generator = new Fleet(platform);
  generator.classes.add({ name: 'web', spec });
  const known = new KnownClasses(platform).buildFleet([liveClass('web', spec)], today);
  for (const mode of [undefined, 'fancy', 'none']) {
    const ours = known.desired(acme(mode));
    expect(ours).toEqual(generator.desired(acme(mode)));
    const { namespaces } = ours;
    const made = namespaces.flatMap(({ objects }) => objects.filter(isSettings));
    expect(made.map((one) => one['data'])).toEqual(
      mode === 'none' ? [] : [{ mode: mode ?? 'plain', of: expect.stringMatching(/^acme on /) }],
    );
  }
});

const isSettings = ({ kind, metadata }: KubeObject): boolean =>
  kind === 'ConfigMap' && metadata.name === 'acme-settings';
