import { expect, test } from '@jest/globals';
import { tenant, withFleet } from './fleet.ts';

const names = Array.from({ length: 400 }, (_, i) => `team-${i}`);
const tenants = Object.fromEntries(names.map((name) => [`tenants/${name}.yaml`, tenant(name)]));

test('real threads, however late they are, change no byte', () => {
  withFleet(tenants, (fleet) => {
    const one = fleet.rendered({ workers: 1, out: 'one' });
    expect(fleet.rendered({ workers: 4, out: 'several' })).toEqual(one);
  });
});
