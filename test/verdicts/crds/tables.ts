import type { Table } from '../table.ts';
import { definitionTables } from './definitions/tables.ts';
import { objectTables } from './objects/tables.ts';
import { declarationTables } from './tenantry/tables.ts';

/** What a definition may be, what becomes of its objects, and what is declared in our own kinds. */
export const crdTables: readonly Table[] = [
  ...definitionTables,
  ...objectTables,
  ...declarationTables,
];
