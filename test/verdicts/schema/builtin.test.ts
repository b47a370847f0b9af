import { testAgreement } from '../agreement.ts';
import { builtinTables } from './builtin/tables.ts';

testAgreement(builtinTables);
