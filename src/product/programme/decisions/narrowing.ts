import { abstractStatuses } from '#product/programme/abstracts/states.ts'
import type { Standing } from './standings.ts'

/** What a list of abstracts can be sorted by. */
export const sorts = [
  'mean',
  'adjusted',
  'spread',
  'reviews',
  'recommended',
  'state',
  'proposal',
  'code',
  'title',
  'topic',
  'kind',
  'language',
] as const

export type Sort = (typeof sorts)[number]

/** An order of a list. */
export interface Order {
  sort: Sort
  /** Puts the last first, but for what has no value. */
  isReversed: boolean
}

/** Which abstracts a list has, besides the words of its search. What is said of reviews and proposals leaves out one's own. */
export interface Wanted {
  /** The id of a topic. */
  topic?: string | undefined
  /** The id of the kind that was asked for. */
  kind?: string | undefined
  status?: Standing['status'] | undefined
  proposal?: 'none' | 'accepted' | 'rejected' | undefined
  /** The least and the greatest mean. */
  least?: number | undefined
  most?: number | undefined
  /** Only those with fewer reviews than this. */
  fewerThan?: number | undefined
}

/** Returns those of the abstracts that are wanted. */
export function narrow(rows: readonly Standing[], wanted: Wanted): Standing[] {
  const { topic, kind, status, proposal, least, most, fewerThan } = wanted
  const ofReviews = least !== undefined || most !== undefined || fewerThan !== undefined
  return rows.filter(row => {
    if (topic !== undefined && row.topic_id !== topic) return false
    if (kind !== undefined && row.kind_id !== kind) return false
    if (status !== undefined && row.status !== status) return false
    if (row.isOwn) return !ofReviews && proposal === undefined
    if (proposal !== undefined && (row.proposal?.decision ?? 'none') !== proposal) return false
    if (fewerThan !== undefined && (row.figures?.done ?? 0) >= fewerThan) return false
    const mean = row.figures?.mean
    if (least !== undefined && (mean === undefined || shown(mean) < least)) return false
    return most === undefined || (mean !== undefined && shown(mean) <= most)
  })
}

/** Returns a figure as people read it: what they type is compared with what they see. */
export function shown(figure: number): number {
  return Math.round(figure * 100) / 100
}

/** Whether an order begins with the highest. */
export function isFromHighest(sort: Sort): boolean {
  return sort === 'mean' || sort === 'adjusted' || sort === 'spread' || sort === 'recommended'
}

/**
 * Returns the abstracts in an order: the best first, those first whose reviewers disagree most, and what has a name by it. What has
 * no value comes last, and what has the same is in the order of the codes.
 *
 * @param language of whoever reads it
 */
export function sortBy(rows: readonly Standing[], { sort, isReversed }: Order, language: string): Standing[] {
  const { compare } = new Intl.Collator(language, { numeric: true })
  const sign = isFromHighest(sort) === isReversed ? 1 : -1
  const valued = rows.map(row => ({ row, value: VALUES[sort](row) }))
  valued.sort((one, other) => {
    if (one.value === undefined || other.value === undefined) {
      if (one.value !== other.value) return one.value === undefined ? 1 : -1
    } else {
      const order =
        typeof one.value === 'number'
          ? one.value - (other.value as number)
          : compare(one.value, other.value as string)
      if (order !== 0) return sign * order
    }
    return compare(one.row.code, other.row.code)
  })
  return valued.map(({ row }) => row)
}

const VALUES: Readonly<Record<Sort, (row: Standing) => number | string | undefined>> = {
  mean: ({ figures }) => figures?.mean,
  adjusted: ({ figures }) => figures?.adjusted,
  spread: ({ figures }) => figures?.spread,
  reviews: ({ figures }) => figures?.done,
  recommended: ({ figures }) =>
    figures === undefined || figures.done === 0
      ? undefined
      : (figures.recommended.accept - figures.recommended.reject) / figures.done,
  state: ({ status }) => abstractStatuses.indexOf(status),
  proposal: ({ proposal }) => proposal?.decision,
  code: ({ code }) => code,
  title: ({ title }) => title,
  topic: ({ topic }) => topic,
  kind: ({ kind }) => kind,
  language: ({ language }) => language ?? undefined,
}
