import { expect } from '@jest/globals';
import { define } from '../../crds/define.ts';
import { crdManifest, type DefinitionProps } from '../../crds/definition.ts';
import type { Body } from '../../testing/controlplane/objects.ts';
import { sharedCluster } from '../testing/controlplane/shared.ts';
import {
  fieldRows,
  kindRows,
  buildKindWithProps,
  kindWithField,
  kindWithVersion,
  versionRows,
} from '../crds/markers.ts';
import { TRIAL } from './crds.ts';

const given = await sharedCluster();

/** Returns why the API server refuses a definition; undefined if it accepts it. */
async function refusal(props: DefinitionProps): Promise<string | undefined> {
  const manifest = crdManifest(define(props)) as unknown as Body;
  const { status, body } = await given.cluster.admin.create(manifest, TRIAL);
  return status === 201 ? undefined : `${status} ${body.message}`;
}

const asked = [
  ...fieldRows.map((row) => ({ row, props: kindWithField(row) })),
  ...kindRows.map((row) => ({ row, props: buildKindWithProps(row) })),
  ...versionRows.map((row) => ({ row, props: kindWithVersion(row) })),
];

// test/crds/markers.test.ts checks the definitions of the same rows.
for (const { row, props } of asked) {
  given.test(`the API server accepts ${row.spelling} for ${row.marker}`, async () => {
    expect(await refusal(props)).toBeUndefined();
  });
}
