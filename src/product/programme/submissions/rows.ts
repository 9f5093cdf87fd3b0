import { MAX_HEADING, MAX_SECTIONS } from '#product/programme/calls/schemas.ts'
import { MAX_AFFILIATIONS, MAX_AUTHORS } from './content.ts'
import type { Draft } from './schemas.ts'

/** The parts of a row with an author, as the names of its fields have them. */
export const AUTHOR_PARTS = ['given', 'family', 'email', 'orcid', 'affiliations'] as const
export type AuthorPart = (typeof AUTHOR_PARTS)[number]

export const authorField = (at: number, part: AuthorPart) => `author.${at}.${part}`
export const affiliationField = (at: number) => `affiliation.${at}`
/** The field that says which author presents, by the place of the row. */
export const PRESENTER = 'presenter'

/** The fields that say how many rows the form has. */
export const AUTHORS = 'rows.authors'
export const AFFILIATIONS = 'rows.affiliations'
/** The field that names a part of the text, once for each. */
export const HEADING = 'rows.heading'
/** A form has this many parts: those that are asked for, and those before that still have text. */
const MOST_HEADINGS = 5 * MAX_SECTIONS
/** The field that says what a button does to the rows. */
export const CHANGE_ROWS = 'rows.change'

/** How many rows a form has, and which parts of the text. */
export type Counts = Pick<Draft, 'authors' | 'affiliations' | 'headings'>

/** A new form has a row for one author and one affiliation. */
export const FIRST_ROWS: Counts = { authors: 1, affiliations: 1 }

/** Reads how many rows a form has, and its parts. What is no number is one row. */
export function readCounts(body: URLSearchParams): Counts {
  const read = (name: string, most: number) => {
    const text = body.get(name) ?? ''
    return /^\d{1,3}$/.test(text) ? Math.min(Number(text), most) : 1
  }
  const headings = body
    .getAll(HEADING)
    .filter(heading => heading.length <= MAX_HEADING)
    .slice(0, MOST_HEADINGS)
  return { authors: read(AUTHORS, MAX_AUTHORS), affiliations: read(AFFILIATIONS, MAX_AFFILIATIONS), headings }
}

/** What a button does to the rows: the kind of row, what happens, and the place of the row. */
export interface RowChange {
  of: 'author' | 'affiliation'
  does: 'add' | 'remove' | 'up' | 'down' | 'me'
  at: number
}

export function printChange({ of, does, at }: RowChange): string {
  return `${of}.${does}.${at}`
}

/** @returns undefined if the form was sent by another button */
export function readChange(body: URLSearchParams): RowChange | undefined {
  const [, of, does, at] =
    /^(author|affiliation)\.(add|remove|up|down|me)\.(\d{1,3})$/.exec(body.get(CHANGE_ROWS) ?? '') ?? []
  return of === undefined
    ? undefined
    : { of: of as RowChange['of'], does: does as RowChange['does'], at: Number(at) }
}

/** Changes the rows of a draft, with all that was typed into them. */
export function changeRows(draft: Draft, { of, does, at }: RowChange): Draft {
  if (of === 'affiliation') return changeAffiliations(draft, does, at)
  const rows = readAuthors(draft)
  const isPresenting = rows.map((_, place) => draft.typed[PRESENTER]?.[0] === String(place))
  const order = rows.map((_, place) => place)
  if (does === 'add' && rows.length < MAX_AUTHORS) order.push(rows.length)
  if (does === 'remove') order.splice(at, 1)
  if (does === 'up' && at > 0 && at < order.length) order.splice(at - 1, 0, ...order.splice(at, 1))
  if (does === 'down' && at < order.length - 1) order.splice(at + 1, 0, ...order.splice(at, 1))
  const typed = withoutRows(draft, 'author.')
  for (const [place, from] of order.entries()) {
    const row = does === 'me' && from === at ? meIn(draft, rows[from]) : rows[from]
    for (const part of AUTHOR_PARTS) typed[authorField(place, part)] = [row?.[part] ?? '']
  }
  const presenter = order.findIndex(from => isPresenting[from])
  typed[PRESENTER] = presenter < 0 ? [] : [String(presenter)]
  return { ...draft, typed, authors: order.length }
}

type AuthorRow = Record<AuthorPart, string>

function readAuthors({ typed, authors }: Draft): AuthorRow[] {
  return Array.from(
    { length: authors },
    (_, at) =>
      Object.fromEntries(
        AUTHOR_PARTS.map(part => [part, typed[authorField(at, part)]?.[0] ?? '']),
      ) as AuthorRow,
  )
}

/** Fills in whoever writes: the last of their names is the family's. */
function meIn({ typed }: Draft, row: AuthorRow | undefined): AuthorRow | undefined {
  const words = (typed['contact.name']?.[0] ?? '').trim().split(/\s+/)
  const family = words.pop() ?? ''
  return row && { ...row, given: words.join(' '), family, email: typed['contact.email']?.[0] ?? row.email }
}

/** Affiliations are named by their numbers, which move with them. */
function changeAffiliations(draft: Draft, does: RowChange['does'], at: number): Draft {
  const count = draft.affiliations
  if (does === 'add') return { ...draft, affiliations: Math.min(count + 1, MAX_AFFILIATIONS) }
  if (does !== 'remove' || at >= count) return draft
  const typed = withoutRows(draft, 'affiliation.')
  for (let place = 0; place < count - 1; place++)
    typed[affiliationField(place)] = draft.typed[affiliationField(place < at ? place : place + 1)] ?? ['']
  for (let author = 0; author < draft.authors; author++) {
    const name = authorField(author, 'affiliations')
    const numbers = (typed[name]?.[0] ?? '').split(/[^\d]+/).filter(Boolean)
    const moved = numbers.map(Number).filter(number => number !== at + 1)
    typed[name] = [moved.map(number => (number > at + 1 ? number - 1 : number)).join(', ')]
  }
  return { ...draft, typed, affiliations: count - 1 }
}

function withoutRows({ typed }: Draft, prefix: string): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(typed).filter(([name]) => !name.startsWith(prefix)))
}
