import { testAgreement } from './agreement.ts';
import { kindTables } from './kube/kinds.ts';

testAgreement(kindTables);
