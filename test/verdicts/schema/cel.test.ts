import { testAgreement } from '../agreement.ts';
import { celTables } from './cel/tables.ts';

testAgreement(celTables);
