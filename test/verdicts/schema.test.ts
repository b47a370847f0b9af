import { testAgreement } from './agreement.ts';
import { schemaTables } from './schema/tables.ts';

testAgreement(schemaTables);
