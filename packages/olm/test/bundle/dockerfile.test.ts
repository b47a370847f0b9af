import { expect, test } from '@jest/globals';
import { isDockerfile, parseDockerfileLabels } from '../../bundle/dockerfile.ts';

const labels = (text: string) =>
  parseDockerfileLabels({ path: 'bundle.Dockerfile', bytes: Buffer.from(text) });

test.each([
  ['LABEL a=b', { a: 'b' }],
  ['label a=b c="d e" \'f\'=g', { a: 'b', c: 'd e', f: 'g' }],
  ['LABEL a="say \\"x\\"" b=c\\ d', { a: 'say "x"', b: 'c d' }],
  ['LABEL a b c', { a: 'b c' }],
  ['LABEL a=', { a: '' }],
  ['LABEL a=b \\\n  # why\n  c=d', { a: 'b', c: 'd' }],
  ['LABEL a=b\r\nLABEL a=c\r\n', { a: 'c' }],
  ['LABEL __proto__=x', JSON.parse('{"__proto__":"x"}')],
  ['FROM scratch\nCOPY manifests /manifests/', {}],
  ['', {}],
])('the labels of %j', (text, expected) => {
  expect(labels(text)?.values).toEqual(expected);
});

test('each label has the line on which its instruction begins', () => {
  expect(labels('FROM scratch\n\nLABEL a=b \\\n  c=d\nLABEL e=f\n')?.lines).toEqual({
    a: 3,
    c: 3,
    e: 5,
  });
});

test('a Dockerfile is at the root, with its own name or as a suffix', () => {
  const paths = ['Dockerfile', 'bundle.Dockerfile', 'a/Dockerfile', 'Dockerfile.bundle'];
  expect(paths.filter(isDockerfile)).toEqual(['Dockerfile', 'bundle.Dockerfile']);
});
