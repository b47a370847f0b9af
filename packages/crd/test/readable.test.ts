import { expect, test } from '@jest/globals';
import { UserProject } from '@tenantry/test-tools/surface/user-project';

const definition = `
import { define } from '@tenantry/crd';
import { customResource } from '@tenantry/crd/constructs';
import { integer, object, required, string } from '@tenantry/crd/schema';
import type { Input, Schema, Static } from '@tenantry/crd/schema';

const fields = object('', {
  image: required(string('')),
  deep: object('', { deeper: object('', { deepest: integer('', { default: 1 }) }) }),
});
export interface RedisSpec extends Static<typeof fields> {}
export interface RedisSpecInput extends Input<typeof fields> {}
const spec: Schema<RedisSpec, RedisSpecInput> = fields;

export const redis = define({
  group: 'cache.example.com',
  kind: 'Redis',
  plural: 'redises',
  scope: 'Namespaced',
  versions: { v1: { schema: object('', { spec: required(spec) }) } },
});
export class Redis extends customResource(redis, 'v1') {}
`;

const use = `
import { App, Chart } from 'cdk8s';
import { Redis } from './redis.ts';
const chart = new Chart(new App(), 'a');
export const whole = new Redis(chart, 'a', 1);
export const spec = new Redis(chart, 'b', { spec: 1 });
`;

test('the compiler speaks of types by the names that they were given, not by all that is in them', async () => {
  const project = new UserProject({ 'redis.ts': definition, 'use.ts': use });
  try {
    const lines = (await project.compile()).split('\n').map((line) => line.trim());
    expect(lines).toEqual([
      expect.stringMatching(
        /parameter of type 'CustomResourceProps<\{ readonly spec: RedisSpecInput; \}>'/,
      ),
      expect.stringMatching(/type '\{ readonly spec: RedisSpecInput; \}'/),
      expect.stringMatching(/'number' is not assignable to type 'RedisSpecInput'/),
    ]);
  } finally {
    project.remove();
  }
});
