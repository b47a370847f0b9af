import fc from 'fast-check';

// A mutant is killed by the first example or case that fails: nobody reads the smallest, or others.
fc.configureGlobal({ endOnFailure: true });
process.env['TENANTRY_FIRST_FAILURE'] = '1';
