import { testAgreement } from '../agreement.ts';
import { readymadeTables } from './readymade/tables.ts';

testAgreement(readymadeTables);
