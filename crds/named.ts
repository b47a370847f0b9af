import { naming } from '@tenantry/crd/type-name';
import type { TypesByName } from './types-by-name.ts';

/** Names the type of the values of a schema of Tenantry's kinds. */
export const named = naming<TypesByName>();
