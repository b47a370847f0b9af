import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { FileFacts } from '../../apps/tenant-file.ts';
import type { UnitRecord } from '../../synth/render-cache.ts';
import { inFleet, tenant, tenantClass, type FleetFolder } from './fleet.ts';

const until = '2027-01-31';
const guest = { access: { viewers: { temporary: [{ users: ['guest'], until }] } } };
const fleet = {
  'tenants/classes/dated.yaml': tenantClass('dated', {
    exceptions: [
      { tenants: ['inherits'], reason: 'agreed', allow: { clusterRoles: ['x'] }, until },
    ],
  }),
  'tenants/ends.yaml': tenant('ends', guest),
  'tenants/inherits.yaml': tenant('inherits', { className: 'dated' }),
  'tenants/lasts.yaml': tenant('lasts'),
};

/** Marks all remembered results. */
function mark({ folder }: FleetFolder): void {
  const [file] = globSync('memory/*.json', { cwd: folder });
  const path = join(folder, file!);
  const lines = readFileSync(path, 'utf8').split('\n');
  const units = lines.slice(3).map((line) => {
    const [key, record] = line.split(/ (.*)/s);
    const unit = JSON.parse(record!) as UnitRecord & { readonly facts: FileFacts };
    const warnings = [{ path: '', message: `remembered ${unit.files.length > 0}`, rule: 'x' }];
    return `${key} ${JSON.stringify({ ...unit, facts: { ...unit.facts, warnings } })}`;
  });
  writeFileSync(path, [...lines.slice(0, 3), ...units].join('\n'));
}

/** Returns the number of results that are reused on another day. */
function countReused(given: FleetFolder, first: string, other: string): number {
  given.render({ memory: 'memory', date: first });
  mark(given);
  const { warnings } = given.render({ memory: 'memory', date: other });
  given.remove('memory');
  return warnings.filter((one) => one.includes('remembered')).length;
}

test(
  'on another day the results of all files are reused, until an end date comes near or passes',
  inFleet(fleet, (given) => {
    expect(countReused(given, '2026-12-01', '2026-12-31')).toBe(4);
    expect(countReused(given, '2026-12-31', '2027-01-01')).toBe(2);
    expect(countReused(given, '2027-01-01', '2027-01-31')).toBe(4);
    expect(countReused(given, '2027-01-31', '2027-02-01')).toBe(2);
    expect(countReused(given, '2027-02-01', '2027-01-31')).toBe(2);
    expect(countReused(given, '2027-02-01', '2031-01-01')).toBe(4);
  }),
);

test(
  'threads render for the same day as the program that starts them',
  inFleet({ ...fleet, ...copies(40) }, (given) => {
    for (const date of ['2027-01-31', '2027-02-01']) {
      const one = given.rendered({ date, workers: 1, out: 'one' });
      expect(given.rendered({ date, workers: 3, out: 'several' })).toEqual(one);
      expect(Object.values(one).some((text) => text.includes('name: guest'))).toBe(date === until);
    }
  }),
);

function copies(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, i) => `t${i}`);
  return Object.fromEntries(names.map((name) => [`tenants/${name}.yaml`, tenant(name, guest)]));
}

test(
  'without a commit and a date the current day is used, which a warning names if anything ends',
  inFleet({ 'tenants/lasts.yaml': tenant('lasts') }, (given) => {
    expect(given.render().warnings).toEqual([]);
    given.write({ 'tenants/ends.yaml': tenant('ends', guest) });
    expect(given.render().warnings).toContainEqual(
      expect.stringMatching(
        /^rendered for today, \d{4}-\d\d-\d\d in UTC, since there is no commit/,
      ),
    );
    expect(given.render({ date: '2026-12-01' }).warnings).toEqual([]);
  }),
);

test(
  'an exception that ended is one warning at the exception, and the tenant that still needs it is an error',
  inFleet(
    {
      'tenants/classes/default.yaml': tenantClass('default', {
        ceilings: { quota: { pods: 10 } },
        exceptions: [
          { tenants: ['acme'], reason: 'agreed', ceilings: { quota: { pods: 99 } }, until },
        ],
      }),
      'tenants/acme.yaml': tenant('acme', { quota: { hard: { pods: 50 } } }),
    },
    (given) => {
      expect(given.render({ date: '2027-01-01' })).toMatchObject({
        problems: [],
        warnings: [expect.stringContaining(`ends on ${until}: the exception for acme`)],
      });
      expect(given.render({ date: '2027-02-01' })).toMatchObject({
        problems: [
          'tenants/acme.yaml:4:32 spec.quota.hard.pods must be at most 10 for pods (ceiling of class default), got 50 in namespace acme; an exception of class default allowed it until 2027-01-31',
        ],
        warnings: [expect.stringContaining(`ended on ${until}, so it is not rendered`)],
      });
      given.write({ 'tenants/acme.yaml': tenant('acme', { quota: { hard: { pods: 5 } } }) });
      const { problems, warnings } = given.render({ date: '2027-02-01' });
      expect([problems.length, warnings.length]).toEqual([0, 1]);
    },
  ),
);
