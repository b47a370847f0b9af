import { expect, test } from '@jest/globals';
import { submittable, submittedTexts } from '@tenantry/olm/test/submission/submittable';
import type { Sample } from '@tenantry/olm/test/rules/sample';
import { inProject } from './project.ts';

const files = (change: (given: Sample) => void = () => {}) => {
  const given = submittable();
  change(given);
  const texts = Object.entries(submittedTexts(given));
  return Object.fromEntries(texts.map(([path, text]) => [`redis/${path}`, text]));
};

const long =
  '## Features\n\n* **Fast**: answers in less than a millisecond, which is what everybody wants from it\n* Small\n\n```\nredis-cli ping\n```\n';

test(
  'a bundle is shown as in a catalog',
  inProject(
    files(({ csv }) => {
      csv.spec.description = long;
      csv.spec.install.spec.clusterPermissions[0].rules.push(
        { apiGroups: [''], resources: ['services', 'pods'], verbs: ['list', 'get'] },
        { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
      );
    }),
    async (project) => {
      const { code, out, err } = await project.tenantry('bundle preview redis');
      expect([code, err]).toEqual([0, '']);
      expect(out.split('\n').slice(0, 27)).toEqual([
        'Redis 1.2.3 by Example',
        'Runs Redis in clusters.',
        '',
        'Package           redis-operator',
        'Name              redis-operator.v1.2.3',
        'Channels          stable (default)',
        'Capability level  Seamless Upgrades (2 of 5)',
        'Categories        Database, Storage',
        'Keywords          redis',
        'Kubernetes        1.25.0 or later',
        'Install modes     AllNamespaces',
        'Image             quay.io/example/operator:1',
        'Repository        https://github.com/example/redis-operator',
        'Created           2026-01-31T12:00:00Z',
        'Maintainers       Jo <jo@example.com>',
        'Links             Home <https://example.com>',
        '',
        'Description',
        'Features',
        '',
        '- Fast: answers in less than a millisecond, which is what everybody wants from',
        '  it',
        '- Small',
        '',
        '    redis-cli ping',
        '',
        'Kinds',
      ]);
      expect(out).toContain(
        'Redis v1 (redis.cache.example.com)\n  A Redis.\n    apiVersion: cache.example.com/v1\n',
      );
      expect(out.split('What it may do\n')[1]).toBe(
        [
          'ServiceAccount redis-operator, in the whole cluster:',
          '  ! get secrets: Secrets hold the credentials of others',
          '  - get, list pods, services',
          '  - get redis.cache.example.com',
          '',
        ].join('\n'),
      );
    },
  ),
);

test(
  'control characters of a bundle never reach the terminal',
  inProject(
    files(({ csv, annotations }) => {
      const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202eabc\r\u0008';
      for (const field of ['displayName', 'description', 'minKubeVersion', 'version'])
        csv.spec[field] = evil;
      csv.spec.description = `${evil}\n\n# ${evil}\n\n* ${evil}\n\n    ${evil}\n\n\`\`\`\n${evil}\n\`\`\`\n`;
      csv.spec.keywords = [evil];
      csv.spec.provider = { name: evil };
      csv.spec.links = [{ name: evil, url: evil }];
      csv.spec.maintainers = [{ name: evil, email: evil }];
      csv.spec.installModes[0].type = evil;
      annotations['channels.v1'] = evil;
      for (const name of [
        'capabilities',
        'categories',
        'createdAt',
        'repository',
        'containerImage',
        'description',
      ]) {
        csv.metadata.annotations[name] = evil;
      }
      const [owned] = csv.spec.customresourcedefinitions.owned;
      owned.displayName = evil;
      owned.description = evil;
      csv.spec.customresourcedefinitions.required = [{ name: evil, version: evil, kind: evil }];
      csv.spec.webhookdefinitions = [{ generateName: evil, type: evil }];
      csv.spec.install.spec.clusterPermissions[0].rules.push({
        apiGroups: [evil],
        resources: [evil],
        verbs: [evil],
        resourceNames: [evil],
      });
      csv.spec.install.spec.clusterPermissions[0].serviceAccountName = evil;
      const spec = { [evil]: evil };
      const example = { apiVersion: 'cache.example.com/v1', kind: 'Redis', spec };
      csv.metadata.annotations['alm-examples'] = JSON.stringify([example]);
    }),
    async (project) => {
      for (const output of ['text', 'json']) {
        const { code, out } = await project.tenantry(`bundle preview redis --output ${output}`);
        expect([output, code]).toEqual([output, 0]);
        expect(out).toContain('owned');
        // oxlint-disable-next-line no-control-regex
        expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      }
    },
  ),
);

test(
  'JSON output has the same data, and an unreadable bundle is reported',
  inProject({ ...files(), 'none/.keep': '' }, async (project) => {
    const { out } = await project.tenantry('bundle preview redis --output json');
    expect(JSON.parse(out)).toMatchObject({
      command: 'bundle preview',
      outcome: 'done',
      preview: {
        displayName: 'Redis',
        channels: ['stable'],
        owned: [{ kind: 'Redis', example: { metadata: { name: 'small' } } }],
        rights: [{ subject: 'ServiceAccount redis-operator', scope: 'everywhere' }],
      },
    });
    const { code, err } = await project.tenantry('bundle preview none');
    expect(code).toBe(1);
    expect(err).toContain('nothing is shown');
  }),
);

test(
  'help describes the command with examples and exit codes',
  inProject({}, async (project) => {
    const { code, out } = await project.tenantry('bundle preview --help');
    expect(code).toBe(0);
    for (const part of ['--output', 'Examples:', 'Exit codes:']) expect(out).toContain(part);
  }),
);
