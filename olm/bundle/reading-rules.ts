/** Why a bundle, or something in it, cannot be read: each with what must be. */
export const readingRules = {
  'bundle-folder': 'what is named is a folder: that of a bundle, or of an OCI image layout',
  'empty-bundle': 'there is a file in it',
  'one-csv': 'it has one ClusterServiceVersion',
  'bundle-size': 'it holds at most 10,000 files and folders and 64 MiB; a layer 128 MiB unpacked',
  'folder-depth': 'folders in folders are at most 16 deep',
  'file-size': 'a file has at most 16 MiB; 8 MiB and 10,000 documents where it is YAML or JSON',
  'file-text': 'a file that is read is text in UTF-8',
  file: 'the machine lets us read it',
  'special-file': 'there are files and folders, and no pipes or devices',
  link: 'a link leads to a file of the bundle',
  'layer-path': 'the paths in a layer lie within the image',
  'image-layout': 'the layout holds one image: its index, its manifest and its blobs are sound',
  yaml: 'YAML is what OLM reads, nested at most 500 deep',
  'yaml-dialect': 'YAML is what all readers read alike, kubectl among them (warned of)',
  'manifest-object': 'each document of the manifests is an object with a kind',
  'object-size': 'an object has at most 1.5 MiB, as etcd takes it',
  'annotation-value': 'annotations are strings (a number is read as one, and warned of)',
  property: 'dependencies and properties are lists of mappings with a type',
} as const;

export type ReadingRule = keyof typeof readingRules;

/** What OLM's own tools pass over, or judge by rules of their own. */
export const rulesIgnoredByOlm: ReadonlySet<string> = new Set<ReadingRule>([
  'one-csv',
  'yaml',
  'yaml-dialect',
  'manifest-object',
  'object-size',
  'annotation-value',
  'property',
]);
