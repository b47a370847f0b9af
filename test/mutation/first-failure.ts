import fc from 'fast-check';

// The first failing example or case kills a mutant: nobody reads a minimal or further one.
fc.configureGlobal({ endOnFailure: true });
process.env['TENANTRY_FIRST_FAILURE'] = '1';
