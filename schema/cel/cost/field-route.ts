/**
 * The path from a variable to a value: `self`, `hosts`, `@items`, `name`.
 *
 * The API server's estimate keeps routes in Go slices with spare capacity. Two routes that extend the same route share
 * that capacity, and the later one overwrites the earlier one. The estimate of a list depends on this (`all` reads its
 * range again after its body), so the capacity is shared here too.
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

  /** Extends a route by one step; starts a new one if there is none. */
  static next(route: FieldRoute | undefined, step: string): FieldRoute {
    if (!route) return FieldRoute.from(step);
    const length = route.#length + 1;
    if (length <= route.#capacity) {
      route.#room[route.#length] = step;
      return new FieldRoute(route.#room, length, route.#capacity);
    }
    return new FieldRoute([...route.steps(), step], length, 2 * route.#capacity);
  }

  /** Extends the route by one step, with a capacity of its own. */
  alone(step: string): FieldRoute {
    return new FieldRoute([...this.steps(), step], this.#length + 1, this.#length + 1);
  }

  steps(): readonly string[] {
    return this.#room.slice(0, this.#length);
  }
}
