import { testAgreement } from './agreement.ts';
import { crdTables } from './crds/tables.ts';

testAgreement(crdTables);
