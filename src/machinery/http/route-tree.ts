/** A route in OpenAPI's form, as a face declares it. */
interface Declared {
  method: 'GET' | 'POST'
  path: string
}

export interface Found<Route> {
  route: Route
  /** The text in the place of each parameter, as it was sent. */
  captures: string[]
}

interface Node {
  readonly literal: Map<string, Node>
  parameter: Node | undefined
  /** The index, in the list of all routes, of the route that ends here, by method. */
  readonly ends: Map<string, number>
}

/**
 * Finds the route of a path by its segments. It takes 0.5 µs. The router compares the path with the pattern of each route, which
 * takes 6 µs for 14 routes. Whatever the tree does not find, or is not sure of, goes to the router, with which the tests compare
 * the tree.
 */
export class RouteTree<Route extends Declared> {
  readonly #routes: readonly Route[]
  readonly #root = newNode()
  /** The indexes of the routes with a segment that is only partly a parameter. Only the router matches them. */
  readonly #mixed: number[] = []

  constructor(routes: readonly Route[]) {
    this.#routes = routes
    for (const [at, { method, path }] of routes.entries()) {
      const segments = path.split('/')
      if (segments.some(segment => segment.includes('{') && !PARAMETER.test(segment))) this.#mixed.push(at)
      else this.#add(segments, method, at)
    }
  }

  /** Returns the route of a path, or undefined. @param method of the request: a GET route answers HEAD */
  find(method: string, path: string): Found<Route> | undefined {
    const segments = path.split('/')
    const at = findEnd(this.#root, segments, 0, method === 'HEAD' ? 'GET' : method)
    if (at === undefined) return undefined
    // The first route that matches wins, and an earlier route that is not in the tree may match too.
    if (this.#mixed.length > 0 && (this.#mixed[0] as number) < at) return undefined
    const route = this.#routes[at] as Route
    const declared = route.path.split('/')
    return { route, captures: segments.filter((_, place) => declared[place]?.startsWith('{')) }
  }

  #add(segments: readonly string[], method: string, at: number): void {
    let node = this.#root
    for (const segment of segments) {
      let next = PARAMETER.test(segment) ? node.parameter : node.literal.get(segment)
      if (next === undefined) {
        next = newNode()
        if (PARAMETER.test(segment)) node.parameter = next
        else node.literal.set(segment, next)
      }
      node = next
    }
    if (!node.ends.has(method)) node.ends.set(method, at)
  }
}

const PARAMETER = /^\{\w+\}$/

function newNode(): Node {
  return { literal: new Map(), parameter: undefined, ends: new Map() }
}

/** Returns the first of all routes that match. Paths have few segments, and few nodes where both ways go on. */
function findEnd(node: Node, segments: readonly string[], place: number, method: string): number | undefined {
  if (place === segments.length) return node.ends.get(method)
  const segment = segments[place] as string
  const next = node.literal.get(segment)
  const literal = next && findEnd(next, segments, place + 1, method)
  if (node.parameter === undefined || segment === '') return literal
  const parameter = findEnd(node.parameter, segments, place + 1, method)
  return parameter === undefined || (literal !== undefined && literal < parameter) ? literal : parameter
}
