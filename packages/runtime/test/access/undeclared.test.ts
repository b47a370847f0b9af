import { afterAll, expect, test } from '@jest/globals';
import { UserProject } from '@tenantry/test-tools/surface/user-project';

const project = new UserProject({
  'main.ts': `
import { allow, controller, core, done } from '@tenantry/runtime';

export const shops = controller({
  name: 'shops',
  for: core.ConfigMap,
  access: [allow(core.Secret, 'get')],
  async reconcile({ client, event }) {
    const name = { name: 'a', namespace: 'b' };
    await client.delete(core.Secret, name);
    await client.patch(core.ConfigMap, name, { data: {} });
    await client.podLog(name);
    event({ reason: 'Deleted' });
    return done;
  },
});
`,
});
afterAll(() => project.remove());

test('for an undeclared call, the compiler names the missing grant', async () => {
  const errors = (await project.compile()).split('\n').filter((line) => line.startsWith('main.ts'));
  expect(errors.map((line) => /Undeclared<.*>/.exec(line)?.[0])).toEqual([
    `Undeclared<"access must have allow(kind, 'delete')">`,
    `Undeclared<"access must have allow(kind, 'patch')">`,
    `Undeclared<"access must have allow(core.Pod, 'get').subresource('log')">`,
    `Undeclared<"access must have ...eventAccess">`,
  ]);
});
