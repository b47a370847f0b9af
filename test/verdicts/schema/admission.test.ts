import { testAgreement } from '../agreement.ts';
import { admissionTables } from './admission/tables.ts';

testAgreement(admissionTables);
