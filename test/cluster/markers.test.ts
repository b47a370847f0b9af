import { expect } from '@jest/globals';
import { define } from '@tenantry/crd/define';
import { crdManifest, type DefinitionProps } from '@tenantry/crd/definition';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import {
  fieldRows,
  kindRows,
  buildKindWithProps,
  kindWithField,
  kindWithVersion,
  versionRows,
} from '@tenantry/crd/test/markers';
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

// packages/crd/test/markers.test.ts checks the definitions of the same rows.
for (const { row, props } of asked) {
  given.test(`the API server accepts ${row.spelling} for ${row.marker}`, async () => {
    expect(await refusal(props)).toBeUndefined();
  });
}
