import { crdTables } from './crds/tables.ts';
import { kindTables } from './kube/kinds.ts';
import { schemaTables } from './schema/tables.ts';
import type { Table } from './table.ts';

/** Every table whose verdicts are recorded. */
export const tables: readonly Table[] = [...kindTables, ...schemaTables, ...crdTables];
