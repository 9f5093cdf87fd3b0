import type { Permission } from './accounts.ts'
import type { Books, Cause } from './books.ts'
import type { FormFields } from './form.ts'
import { readShape, type Shape, type Values } from './parameters.ts'

/** A request as an endpoint sees it, whose parameters are read. */
export interface Call<P> {
  books: Books
  /** The part of the path that stands for `:id`. */
  id: string
  given: P
  /** The request, for the events that it causes. */
  cause: Cause
  /** The address of the hosted pages of this stand-in. */
  origin: string
}

export interface Endpoint {
  method: 'DELETE' | 'GET' | 'POST'
  /** The path as a pattern, such as `/v1/refunds/:id`. */
  path: string
  permission: Permission
  /** The kind of the object in the answer, by which `expand` finds its links; for lists, that of an object in it. */
  expands: string | null
  /** Reads the parameters, which may refuse them, and gives what is left to do. */
  prepare(call: Omit<Call<unknown>, 'given'>, given: FormFields): { expand: string[]; run(): object }
}

interface Declared<S extends Shape> extends Omit<Endpoint, 'prepare'> {
  parameters: S
  run(call: Call<Values<S>>): object
}

export function endpoint<S extends Shape>({ parameters, run, ...rest }: Declared<S>): Endpoint {
  return {
    ...rest,
    prepare(call, fields) {
      const given = readShape(parameters, fields)
      const { expand = [] } = given as { expand?: string[] }
      return { expand, run: () => run({ ...call, given }) }
    },
  }
}

interface Page {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
}

/** The bounds of `created`, in seconds. */
export interface Range {
  gt?: number
  gte?: number
  lt?: number
  lte?: number
}

export function within(moment: number, { gt, gte, lt, lte }: Range = {}): boolean {
  return (
    (gt === undefined || moment > gt) &&
    (gte === undefined || moment >= gte) &&
    (lt === undefined || moment < lt) &&
    (lte === undefined || moment <= lte)
  )
}

interface Listed {
  id: string
  created?: number
}

/**
 * Returns a page of a list, the newest first. https://docs.stripe.com/api/pagination. A cursor is a place in the complete list, so
 * that it holds for an object that the filter leaves out.
 */
export function listPage<T extends Listed>(
  url: string,
  all: Iterable<T>,
  { limit = 10, starting_after: after, ending_before: before }: Page,
  keep: (object: T) => boolean,
  missing: (id: string, param: string) => Error,
): { object: 'list'; url: string; has_more: boolean; data: T[] } {
  const newest = [...all].reverse().sort((a, b) => (b.created ?? 0) - (a.created ?? 0))
  const placeOf = (id: string, param: string) => {
    const place = newest.findIndex(object => object.id === id)
    if (place < 0) throw missing(id, param)
    return place
  }
  if (before !== undefined) {
    const found = newest.slice(0, placeOf(before, 'ending_before')).filter(keep)
    return { object: 'list', url, has_more: found.length > limit, data: found.slice(-limit) }
  }
  const from = after === undefined ? 0 : placeOf(after, 'starting_after') + 1
  const found = newest.slice(from).filter(keep)
  return { object: 'list', url, has_more: found.length > limit, data: found.slice(0, limit) }
}
