import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatFlag, settingNames, settings } from '../../operator/settings/settings.ts';

test('the page on installation has each setting with its flag and its default', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operator-install.md'), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => /^\| `\w+` +\| `--/.test(line))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));
  expect(rows).toEqual(
    settingNames.map((name) => {
      const { description, ...rest } = settings[name];
      const otherwise = 'absence' in rest ? rest.absence : `\`${rest.absent}\``;
      return [`\`${name}\``, `\`--${formatFlag(name)}\``, otherwise, description];
    }),
  );
});
