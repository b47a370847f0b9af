import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareAccess } from '../../../apps/plan/access.ts';
import { applyChanges } from '../../../cli/access/history/access-changes.ts';
import { listMainline } from '../../../cli/access/history/output-history.ts';
import { OutputState } from '../../../cli/access/history/output-state.ts';
import { findPeriods } from '../../../cli/access/history/periods.ts';
import { RecordCache } from '../../../cli/access/history/record-cache.ts';
import { Authorizer, formatSubject } from '@tenantry/kube/authorization';
import type { KubeObject } from '@tenantry/kube/object';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { makeRepository, namespaceFile, subject, type MadeCommit } from './history-repository.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenantry-history-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RBAC = 'rbac.authorization.k8s.io';
const users = ['ann', 'bob', 'eve'].map((name) => subject('User', name));
const namespaces = ['shop-dev', 'shop-prod', 'till-dev'] as const;

const rules = fc
  .subarray(['get', 'list', 'delete'], { minLength: 1 })
  .chain((verbs) =>
    fc
      .constantFrom('secrets', 'pods', '*')
      .map((resource) => [{ apiGroups: [''], resources: [resource], verbs }]),
  );
const someUsers = fc.subarray(users, { minLength: 1 });

const ofNamespace = fc.constantFrom(...namespaces).chain((name) =>
  fc
    .option(
      fc.record({
        own: fc.option(someUsers, { nil: undefined }),
        bound: fc.option(
          fc.tuple(fc.constantFrom('edit', 'view', 'shared', 'missing'), someUsers),
          {
            nil: undefined,
          },
        ),
        rules,
      }),
      { nil: undefined, freq: 5 },
    )
    .map((given) => ({
      [`dist/clusters/eu1/${name}.yaml`]:
        given &&
        namespaceFile(
          name,
          {
            ...(given.own && { own: given.own }),
            ...(given.bound && { [given.bound[0]]: given.bound[1] }),
          },
          given.rules,
        ),
    })),
);

/** The ClusterRole that namespaces bind, and a binding of the whole cluster. */
const ofCluster = fc
  .record({ rules, everywhere: fc.option(someUsers, { nil: undefined }) })
  .map(({ rules: shared, everywhere }) => {
    const role = {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRole',
      metadata: { name: 'shared' },
      rules: shared,
    };
    const binding = {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'all' },
      roleRef: { kind: 'ClusterRole', name: 'view' },
      subjects: everywhere,
    };
    const objects = everywhere ? [role, binding] : [role];
    return {
      'dist/clusters/eu1/shared.yaml': objects
        .map((one) => `---\n${JSON.stringify(one)}\n`)
        .join(''),
    };
  });

const histories = fc.array(
  fc.oneof({ weight: 4, arbitrary: ofNamespace }, { weight: 1, arbitrary: ofCluster }),
  { minLength: 2, maxLength: 10 },
);

let count = 0;

/** Makes a repository of a history, and returns its output and the hash of its tip. */
function make(history: readonly MadeCommit['files'][]) {
  count += 1;
  const top = join(folder, String(count));
  const commits = history.map((files, i) => ({
    branch: 'main',
    time: 1_700_000_000 + i * 1000,
    author: 'Ada',
    subject: `commit ${i}`,
    // Every commit changes the output, and nothing is removed that does not exist.
    files: { ...dropMissing(history.slice(0, i), files), 'dist/count': `${i}\n` },
  }));
  makeRepository(top, commits);
  const tip = execFileSync('git', ['rev-parse', 'main'], { cwd: top, encoding: 'utf8' }).trim();
  return { output: { top, folder: 'dist', shown: 'dist' }, tip };
}

function dropMissing(
  before: readonly MadeCommit['files'][],
  files: MadeCommit['files'],
): MadeCommit['files'] {
  const last = (path: string) => before.findLast((one) => path in one)?.[path];
  return Object.fromEntries(
    Object.entries(files).filter(([path, text]) => text !== undefined || last(path) !== undefined),
  );
}

const noCache = () => new RecordCache(undefined, 'dist');
const request = { verb: 'get', group: '', resource: 'secrets', namespace: 'shop-dev' };

test('the periods of everybody are those of the answers at each commit', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const { output, tip } = make(history);
      const periods = findPeriods(output, { tip }, request, noCache());
      const mainline = listMainline(output, [tip]);
      for (const [i, { id, date }] of mainline.entries()) {
        const state = new OutputState(output, [], noCache(), id);
        const authorizer = new Authorizer(
          state.list('eu1').filter(({ kind }) => kind !== 'Namespace'),
          {
            isComplete: false,
          },
        );
        const { grants } = authorizer.findSubjects(request);
        const names = new Set(grants.map((grant) => formatSubject(grant.subject)));
        const found = periods.filter(
          ({ answer, from, until, isSystem }) =>
            answer === 'yes' &&
            !isSystem &&
            (from === undefined || from.date <= date) &&
            (until === undefined || until.date > date),
        );
        const system = grants.filter(
          (grant) =>
            grant.subject.name.startsWith('system:') || grant.subject.namespace === 'kube-system',
        );
        for (const one of system) names.delete(formatSubject(one.subject));
        expect([i, found.map((one) => one.subject).toSorted()]).toEqual([i, [...names].toSorted()]);
      }
    }),
    runs(20),
  );
});

/** Compares all objects of a cluster, as a plan of the whole output does. */
function compareAll(before: readonly KubeObject[], after: readonly KubeObject[]): string[] {
  const found: string[] = [];
  const rest = { pairs: [], applications: new Set<string>(), tenantsOfClass: () => 0 };
  compareAccess(
    { cluster: 'eu1', before, after, ...rest },
    (_, who, message, { namespace = '' }) => {
      found.push(`${namespace} ${who} ${message.split(': ')[0]}`);
    },
  );
  return found.toSorted();
}

test('a review of only what a commit can affect finds every change', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const { output, tip } = make(history);
      const mainline = listMainline(output, [tip]);
      const state = new OutputState(output, mainline, noCache());
      const whole = new OutputState(output, mainline, noCache());
      for (const { changes } of mainline) {
        const before = whole.list('eu1');
        whole.apply(changes);
        const wanted = compareAll(before, whole.list('eu1'));
        const found = applyChanges(state, changes).map(
          ({ change, namespace = '', subject: who, what }) => {
            const isRole = /^(Cluster)?Role /.test(what);
            const verb = isRole
              ? `is ${change === 'gained' ? '' : 'no longer '}bound to`
              : `may${change === 'gained' ? '' : ' no longer'}`;
            return `${namespace} ${who} ${verb} ${what}`;
          },
        );
        expect(found.toSorted()).toEqual(wanted);
      }
    }),
    runs(20),
  );
});
