import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';

const place = {
  type: 'object',
  required: ['port'],
  properties: {
    port: { type: 'integer', minimum: 1, maximum: 65535 },
    names: { type: 'array', items: { type: 'string' } },
  },
};

test('the answers are the same if no code may be generated from texts', () => {
  const validator = new URL('../../../schema/validator.ts', import.meta.url);
  const program = `
    const { compileSchema } = await import(${JSON.stringify(validator.href)});
    const { accepts, check } = compileSchema(${JSON.stringify(place)});
    let accepted = 0;
    for (let i = 0; i < 1000; i += 1) accepted += accepts({ port: 80, names: ['a'] }) ? 1 : 0;
    const [{ message }] = check({ port: 0 }).errors;
    let refusal;
    try { new Function('') } catch (error) { refusal = error.name; }
    console.log(JSON.stringify({ accepted, refused: !accepts({ port: 0 }), message, refusal }));`;
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module'];
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, '--eval', program], {
    encoding: 'utf8',
  });
  expect([stdout && JSON.parse(stdout), stderr]).toEqual([
    {
      accepted: 1000,
      refused: true,
      message: 'must be a whole number of at least 1 and at most 65535, got 0',
      refusal: 'EvalError',
    },
    '',
  ]);
});
