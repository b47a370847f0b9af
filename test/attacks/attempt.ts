import { expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { platform, tenantClass, withFleet } from '../apps/fleet.ts';
import type { Texts } from '../synth/output/folders.ts';

/**
 * An attempt of an author who may write one Tenant file, and its expected result. A new attack is one more of these in
 * a family.
 */
export interface Attempt {
  /** The spec of Mallory's Tenant, `tenants/mallory.yaml`. @default - an empty spec */
  readonly tenant?: object;
  /** Labels and annotations of that Tenant. @default - none */
  readonly metadata?: object;
  /** The spec of the class `standard`, which all tenants use. @default - an empty one */
  readonly klass?: object;
  /** The spec of the platform file. @default - an empty one */
  readonly platform?: object;
  /** Additional files of the repository, or replacements of those above. @default - none */
  readonly files?: Texts;
  /** The rule that refuses it. If absent, it is a harmless variant of an attack and must render. */
  readonly refused?: string;
}

/** Returns the files of an attempt. */
export function filesOf({ tenant = {}, metadata = {}, klass, ...more }: Attempt): Texts {
  const mallory = {
    apiVersion: 'tenantry.dev/v1alpha1',
    kind: 'Tenant',
    metadata: { name: 'mallory', ...metadata },
    spec: tenant,
  };
  return {
    'tenantry.yaml': platform({ defaultClass: 'standard', ...more.platform }),
    'tenants/classes/standard.yaml': tenantClass('standard', klass),
    'tenants/mallory.yaml': JSON.stringify(mallory),
    ...more.files,
  };
}

/** Defines a test for each attempt: only its rule refuses it and nothing is written, or it renders. */
export function attempts(cases: Readonly<Record<string, Attempt>>): void {
  test.each(Object.entries(cases))('%s', (_what, attempt) => {
    withFleet(filesOf(attempt), (fleet) => {
      const { rules, problems } = fleet.render();
      if (attempt.refused === undefined) expect(problems).toEqual([]);
      else {
        expect([...new Set(rules)]).toEqual([attempt.refused]);
        expect(existsSync(join(fleet.folder, 'dist'))).toBe(false);
      }
    });
  });
}
