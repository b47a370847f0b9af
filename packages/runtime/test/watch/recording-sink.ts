import type { Kind, Live, ObjectMeta } from '../../kinds/kind.ts';
import type { Sink } from '../../watch/options.ts';

/** A sink that records its changes in order. */
export class RecordingSink<K extends Kind> implements Sink<K> {
  readonly objects = new Map<string, Live<K>>();
  readonly changes: {
    readonly type: 'put' | 'drop';
    readonly key: string;
    readonly object: Live<K>;
  }[] = [];
  readonly lists: string[] = [];
  /** Called after each object is put or dropped. */
  onChange: (key: string) => void = () => undefined;
  position = '';

  getMetadata(key: string): ObjectMeta | undefined {
    return this.objects.get(key)?.metadata;
  }

  keys(): Iterable<string> {
    return this.objects.keys();
  }

  put(key: string, object: Live<K>): void {
    this.objects.set(key, object);
    this.changes.push({ type: 'put', key, object });
    this.onChange(key);
  }

  drop(key: string): void {
    const object = this.objects.get(key);
    if (!object) throw new Error(`a dropped object must exist, got ${key}`);
    this.objects.delete(key);
    this.changes.push({ type: 'drop', key, object });
    this.onChange(key);
  }

  listing(): void {
    this.lists.push('begun');
  }

  listed(resourceVersion: string): void {
    this.lists.push(resourceVersion);
  }

  reached(resourceVersion: string): void {
    this.position = resourceVersion;
  }
}
