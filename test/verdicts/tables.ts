import { definitionTables } from './crds/definitions/tables.ts';
import { declarationTables } from './crds/tenantry/tables.ts';
import { kindTables } from './kube/kinds.ts';
import { admissionTables } from './schema/admission/tables.ts';
import { celTables } from './schema/cel/tables.ts';
import { readymadeTables } from './schema/readymade/tables.ts';
import type { Table } from './table.ts';

/** Every table whose verdicts are recorded. */
export const tables: readonly Table[] = [
  ...kindTables,
  ...admissionTables,
  ...celTables,
  ...readymadeTables,
  ...definitionTables,
  ...declarationTables,
];
