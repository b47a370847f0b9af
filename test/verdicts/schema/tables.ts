import type { Table } from '../table.ts';
import { admissionTables } from './admission/tables.ts';
import { builtinTables } from './builtin/tables.ts';
import { celTables } from './cel/tables.ts';
import { readymadeTables } from './readymade/tables.ts';

/** What a schema says of a value. */
export const schemaTables: readonly Table[] = [
  ...admissionTables,
  ...builtinTables,
  ...celTables,
  ...readymadeTables,
];
