/**
 * Where the time goes, as `node --cpu-prof` has it for 10,000 tenants. Written by hand: a profile is
 * read, not measured, and slows down what it looks at.
 */
export const whereTimeGoes = `## Where the time goes

At 10,000 tenants, in shares of the main thread (\`node --cpu-prof\`; written by hand in
bench/profile.ts):

| | tenants in YAML | constructs |
|---|---|---|
| start: Node, imports, reading the platform | 10% | 5% |
| reading, parsing and validating declarations | 20% | 3% |
| classes, presets, rules, objects (\`desired\`) | 25% | 22% |
| constructs: making them | | 14% |
| constructs: validation, order, tokens, rendering | | 21% |
| YAML text | 23% | 18% |
| duplicates of objects and paths | 4% | 3% |
| hashes, comparing, handing over to the writing thread | 13% | 8% |

The rest is garbage collection. The files are written by a second thread, 20,000 of them in 10,000
folders; it is done when rendering is. The floor writes 10,000 files into one folder and does nothing
else: what Tenantry takes above it is the reading, the rules and the YAML text, of which the floor has
none (five times the floor is missed for that, not for the disk).

After a change of one file: start and imports 0.16 s (cdk8s alone 0.06 s), reading and hashing 10,000
declarations 0.10 s, asking the disk for 20,000 files 0.10 s, reading what is remembered (7 MB) 0.06 s. \`tenantry check\` does the same and asks Git what is committed.
`;
