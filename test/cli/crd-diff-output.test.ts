import { expect, test } from '@jest/globals';
import { definition, diff, five, four } from './crd-diff-given.ts';
import { inProject } from './project.ts';

const described = (description: string) => ({
  type: 'object',
  properties: { a: { type: 'string', description }, b: { type: 'integer', description } },
});

test(
  'descriptions that differ in many places are one line, and in JSON all of them',
  inProject(
    {
      'old.json': definition(described('An x.')),
      'new.json': definition(described('One x.')),
    },
    async (project) => {
      const { out } = await diff(project, 'old.json new.json');
      expect(out).toContain('differ at 2 places (documentation)');
      expect(out).toContain('0 unknown, 2 compatible');
      const { out: json } = await diff(project, 'old.json new.json --output json');
      expect(json.match(/"rule": "documentation"/g)).toHaveLength(2);
      const { out: comment } = await diff(project, 'old.json new.json --output markdown');
      expect(comment).toContain('<summary>2 compatible</summary>');
    },
  ),
);

test(
  'the JSON output is complete',
  inProject({ 'old.json': five!, 'new.json': four! }, async (project) => {
    const { code, out } = await diff(project, 'old.json new.json --output json');
    expect(code).toBe(1);
    const { seconds, ...report } = JSON.parse(out) as Record<string, unknown>;
    expect(seconds).toEqual(expect.any(Number));
    expect(report).toEqual({
      command: 'crd diff',
      warnings: [],
      outcome: 'refused',
      totals: { breaking: 1, unknown: 0, compatible: 0, advice: 0 },
      definitions: [
        {
          name: 'redises.cache.example.com',
          changes: [
            {
              version: 'v1',
              path: '.spec.x',
              verdict: 'breaking',
              rule: 'maximum',
              message: 'must be at most 4 now, at most 5 before',
              before: 'at most 5',
              after: 'at most 4',
            },
          ],
          advice: [],
          notChecked: [],
        },
      ],
    });
  }),
);

test(
  'the Markdown output is a comment in which no text of a definition is markup',
  inProject(
    {
      'old.json': definition({ type: 'object', properties: { 'a|<b>`c`': { type: 'string' } } }),
      'new.json': definition({ type: 'object', properties: { d: { type: 'string' } } }),
    },
    async (project) => {
      const { code, out } = await diff(project, 'old.json new.json --output markdown');
      expect(code).toBe(1);
      expect(out).toBe(`### Compatibility of CustomResourceDefinitions

1 definition compared: 1 breaking change, 0 unknown, 1 compatible.

#### \`redises.cache.example.com\`

| verdict | where | what | rule |
| --- | --- | --- | --- |
| **breaking** | <code>v1 .spec.x&#91;"a&#124;&#60;b&#62;&#96;c&#96;"&#93;</code> | the field is not declared any more: what is in it is dropped, and refused by strict clients | <code>field-removed</code> |

<details>
<summary>1 compatible</summary>

| verdict | where | what | rule |
| --- | --- | --- | --- |
| compatible | <code>v1 .spec.x.d</code> | the field is new | <code>field-added</code> |

</details>

`);
      const same = await diff(project, 'old.json old.json --output markdown');
      expect(same).toMatchObject({ code: 0 });
      expect(same.out).toContain('Nothing changed.');
    },
  ),
);

test(
  'colors appear on terminals and on request',
  inProject({ 'old.json': five!, 'new.json': four! }, async (project) => {
    const [none, all] = [
      await diff(project, 'old.json new.json', { FORCE_COLOR: '1' }),
      await diff(project, 'old.json new.json --color always', { NO_COLOR: '1' }),
    ];
    expect(none.out).not.toContain('\u001B[');
    expect(all.out).toContain('\u001B[31mbreaking   \u001B[39m');
  }),
);
