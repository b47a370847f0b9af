import type { Table } from '../table.ts';
import { definitionTables } from './definitions/tables.ts';
import { declarationTables } from './tenantry/tables.ts';

/** What a definition may be, and what is declared in our own kinds. */
export const crdTables: readonly Table[] = [...definitionTables, ...declarationTables];
