import { expect, test } from '@jest/globals';
import { inProject, platform, tenant } from './project.ts';

interface Log {
  readonly version: string;
  readonly runs: readonly { readonly tool: object; readonly results: readonly object[] }[];
}

test(
  'the problems of check are results at their places in the repository',
  inProject(
    {
      'my fleet/tenantry.yaml': platform({ clusters: [{ name: 'fra1' }] }),
      'my fleet/tenants/a#b.yaml': tenant('acme', { quota: { hard: { cpu: 'half' } } }),
      'my fleet/tenants/empty.yaml': '# none\n',
    },
    async (project) => {
      await project.git('init -q .');
      const check = await project.tenantry(['-C', 'my fleet', 'check', '--output', 'json']);
      expect(check.code).toBe(1);
      project.write({ 'my fleet/check.json': check.out });
      const { code, out, err } = await project.tenantry([
        '-C',
        'my fleet',
        'review',
        'sarif',
        'check.json',
      ]);
      expect([code, err]).toEqual([0, '']);
      const { version, runs } = JSON.parse(out) as Log;
      expect(version).toBe('2.1.0');
      expect(runs).toHaveLength(1);
      expect(runs[0]?.tool).toMatchObject({
        driver: { name: 'tenantry', rules: [{ id: 'empty-file' }, { id: 'schema' }] },
      });
      const location = (uri: string, region: object) => [
        { physicalLocation: { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, region } },
      ];
      expect(runs[0]?.results).toEqual([
        {
          ruleId: 'schema',
          level: 'error',
          message: { text: expect.stringMatching(/^spec\.quota\.hard\.cpu must be .*got 'half'/) },
          locations: location('my%20fleet/tenants/a%23b.yaml', { startLine: 5, startColumn: 31 }),
        },
        {
          ruleId: 'empty-file',
          level: 'warning',
          message: { text: expect.stringContaining('must declare something') },
          locations: location('my%20fleet/tenants/empty.yaml', { startLine: 1 }),
        },
      ]);
    },
  ),
);

test(
  'a report without problems and an empty file have no results, and a problem without a file is counted',
  inProject({ 'empty.json': '' }, async (project) => {
    const resultsOf = async (report: object | undefined) => {
      if (report) project.write({ 'report.json': JSON.stringify(report) });
      const file = report ? 'report.json' : 'empty.json';
      const { code, out, err } = await project.tenantry(`review sarif ${file}`);
      expect(code).toBe(0);
      return { results: (JSON.parse(out) as Log).runs[0]?.results, err };
    };
    expect(await resultsOf(undefined)).toEqual({ results: [], err: '' });
    expect(await resultsOf({ command: 'plan', warnings: [] })).toEqual({ results: [], err: '' });
    const problem = { path: '', message: 'must be something', rule: 'schema' };
    const outside = { ...problem, file: '../../etc/passwd' };
    expect(await resultsOf({ problems: [problem, outside] })).toEqual({
      results: [],
      err: 'note: 2 problems without a file of the repository\n',
    });
  }),
);
