/**
 * The way to a value from a variable: `self`, `hosts`, `@items`, `name`. The estimate of the API
 * server keeps routes in slices of Go, which have room for more than they hold: two routes that go on
 * from one and the same share the room, and the later overwrites the earlier. What is estimated of a
 * list depends on it (`all` looks at its range again after its body), so the room is shared here too.
 */
export class FieldRoute {
  readonly #room: string[];
  readonly #length: number;
  readonly #capacity: number;

  private constructor(room: string[], length: number, capacity: number) {
    this.#room = room;
    this.#length = length;
    this.#capacity = capacity;
  }

  static from(name: string): FieldRoute {
    return new FieldRoute([name], 1, 1);
  }

  /** One step further; from nowhere, where there was no route. */
  static next(route: FieldRoute | undefined, step: string): FieldRoute {
    if (!route) return FieldRoute.from(step);
    const length = route.#length + 1;
    if (length <= route.#capacity) {
      route.#room[route.#length] = step;
      return new FieldRoute(route.#room, length, route.#capacity);
    }
    return new FieldRoute([...route.steps(), step], length, 2 * route.#capacity);
  }

  /** One step further, in a room of its own. */
  alone(step: string): FieldRoute {
    return new FieldRoute([...this.steps(), step], this.#length + 1, this.#length + 1);
  }

  steps(): readonly string[] {
    return this.#room.slice(0, this.#length);
  }
}
