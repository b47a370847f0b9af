/** The rules for reading a bundle, each with its requirement. */
export const readingRules = {
  'bundle-folder': 'the path is a folder: that of a bundle, or of an OCI image layout',
  'empty-bundle': 'it contains a file',
  'one-csv': 'it has one ClusterServiceVersion',
  'bundle-size':
    'it contains at most 10,000 files and folders and 64 MiB; a layer has at most 128 MiB unpacked',
  'folder-depth': 'folders are nested at most 16 deep',
  'file-size': 'a file has at most 16 MiB; 8 MiB and 10,000 documents where it is YAML or JSON',
  'file-text': 'a file that is read is text in UTF-8',
  file: 'the file can be read',
  'special-file': 'it contains only files and folders, no pipes or devices',
  link: 'a link leads to a file of the bundle',
  'layer-path': 'the paths in a layer are within the image',
  'image-layout': 'the layout contains one image: its index, its manifest and its blobs are valid',
  yaml: 'YAML is valid for OLM, and nested at most 500 deep',
  'yaml-dialect': 'all readers, including kubectl, read the YAML in the same way (a warning)',
  'manifest-object': 'each document of the manifests is an object with a kind',
  'object-size': 'an object has at most 1.5 MiB, the limit of etcd',
  'annotation-value': 'annotations are strings (a number is converted, with a warning)',
  property: 'dependencies and properties are lists of mappings with a type',
} as const;

export type ReadingRule = keyof typeof readingRules;

/** The rules that OLM's own tools ignore, or replace by rules of their own. */
export const rulesIgnoredByOlm: ReadonlySet<string> = new Set<ReadingRule>([
  'one-csv',
  'yaml',
  'yaml-dialect',
  'manifest-object',
  'object-size',
  'annotation-value',
  'property',
]);
