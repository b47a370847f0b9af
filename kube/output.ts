/** What constructs and the generator agree on; stock cdk8s ignores the metadata. */

/** The folder of the output that holds everything of every cluster, and nothing of anybody else. */
export const CLUSTERS = 'clusters';

/** The type of construct metadata that says into which file a chart goes. */
export const OUTPUT_PATH = 'tenantry:output-path';

/** The type of construct metadata that holds a warning about a construct, as text. */
export const WARNING = 'tenantry:warning';
