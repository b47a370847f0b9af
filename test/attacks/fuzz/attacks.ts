import fc from 'fast-check';
import type { Json } from '@tenantry/kube/object';
import { tenant } from '../../../crds/tenant.ts';
import { arbitraryValue } from '@tenantry/crd/schema/arbitrary';
import { at, type Attack } from './attack.ts';
import { bounds } from './bounds.ts';
import { deployments } from './deployments.ts';
import { manifest } from './manifest.ts';
import { metadata, names } from './metadata.ts';
import { network } from './network.ts';
import { rights } from './rights.ts';

/** Any value that the schema of a field accepts. */
const fields = Object.entries(tenant.spec.properties!);
const wild = fc
  .constantFrom(...fields)
  .chain(([name, schema]) =>
    arbitraryValue(schema).map((value: Json): Attack => ({ at: ['spec', name], value })),
  );

/** One attack. */
export const attack: fc.Arbitrary<Attack> = fc.oneof(
  { weight: 4, arbitrary: rights },
  { weight: 3, arbitrary: bounds },
  { weight: 5, arbitrary: network },
  { weight: 3, arbitrary: deployments },
  { weight: 2, arbitrary: names },
  { weight: 3, arbitrary: metadata },
  {
    weight: 4,
    arbitrary: at(
      'spec.resources',
      manifest.map((one) => [one]),
    ),
  },
  { weight: 1, arbitrary: wild },
);
