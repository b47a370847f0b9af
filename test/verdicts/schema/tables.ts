import type { Table } from '../table.ts';
import { admissionTables } from './admission/tables.ts';
import { builtinTables } from './builtin/tables.ts';
import { celTables } from './cel/tables.ts';
import { readymadeTables } from './readymade/tables.ts';

/** The verdicts of schemas on values. */
export const schemaTables: readonly Table[] = [
  ...admissionTables,
  ...builtinTables,
  ...celTables,
  ...readymadeTables,
];
