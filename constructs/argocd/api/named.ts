import { naming } from '../../../crds/tenantry/named.ts';
import type { TypesByName } from './types-by-name.ts';

/** Names the type of the values of a schema of one of Argo CD's kinds. */
export const named = naming<TypesByName>();
