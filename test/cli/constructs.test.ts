import { expect, test } from '@jest/globals';
import { importTenantry, inProject } from './project.ts';

const app = `${importTenantry('App, Tenant, TenantClass')}
const app = new App();
class Team extends Tenant {
  constructor(id: string, pods: string) {
    super(app, id, { quota: { hard: { pods } } });
  }
}
const made = (id: string) => new Tenant(app, id, { quota: { hard: { pods: 'half' } } });
new Team('good', '10');
new Team('bad', '1.5');
made('worse');
new TenantClass(app, 'gold', { defaults: { quota: { preset: 'smal' } } });
new Tenant(app, 'rich', { className: 'gold', access: { admins: { users: ['system:x'] } } });
app.synth();
`;

test(
  'a mistake in TypeScript has a path, a rule, and the line that created the construct',
  inProject({ 'src/app.ts': app, 'cdk8s.yaml': 'app: node src/app.ts\n' }, async (project) => {
    const { code, out } = await project.tenantry('check --output json');
    expect(code).toBe(1);
    const { problems } = JSON.parse(out) as { problems: object[] };
    const lines = app.split('\n');
    const made = (text: string) => {
      const line = lines.findIndex((one) => one.includes(text));
      return { file: 'src/app.ts', line: line + 1, column: lines[line]!.indexOf('new ') + 1 };
    };
    expect(problems).toEqual([
      {
        ...made('=> new Tenant(app, id'),
        construct: 'worse',
        path: 'spec.quota.hard.pods',
        message: "must be a quantity such as '500m', '2Gi' or 10, or 'unlimited', got 'half'",
        rule: 'schema',
      },
      {
        ...made("new Team('bad'"),
        construct: 'bad',
        path: 'spec.quota.hard.pods',
        message: "must be a whole number for pods, got '1.5'",
        rule: 'quota-whole',
      },
      {
        ...made("new TenantClass(app, 'gold'"),
        construct: 'gold',
        path: 'spec.defaults.quota.preset',
        message: "must be a preset of class gold (left out: it has none), got 'smal'",
        rule: 'preset',
      },
      {
        ...made("new Tenant(app, 'rich'"),
        construct: 'rich',
        path: 'spec.access.admins.users',
        message: expect.stringMatching(/^must not begin with 'system:'/),
        rule: 'system-subject',
      },
    ]);
    const text = await project.tenantry('synth');
    expect(text.err).toContain(
      "error src/app.ts:11:1 [bad] spec.quota.hard.pods must be a whole number for pods, got '1.5' (quota-whole)\n",
    );
  }),
);

test(
  'without tenantry the same mistake is reported in the wording of cdk8s',
  inProject({ 'src/app.ts': app }, async (project) => {
    const { code, err } = await project.run(process.execPath, ['src/app.ts']);
    expect(code).toBe(1);
    expect(err).toContain("[bad] spec.quota.hard.pods must be a whole number for pods, got '1.5'");
  }),
);
