import { definitionTables } from './crds/definitions/tables.ts';
import { admissionTables } from './schema/admission/tables.ts';
import { celTables } from './schema/cel/tables.ts';
import type { Table } from './table.ts';

/** Every table whose verdicts are recorded. */
export const tables: readonly Table[] = [...definitionTables, ...admissionTables, ...celTables];
