import type { ComponentChildren } from 'preact'
import type { Texts } from '#texts/texts.ts'
import { Icon } from '../components/icon.tsx'
import type { Fields } from '../forms/form.ts'
import { withQuery } from '../link.ts'
import { InSlices } from '../slices.tsx'
import type { Voice } from '../voice.ts'
import { choiceLabel, FilterField } from './filter-field.tsx'
import { directionOf, type Sorting, SortLinks, type SortName } from './sort-links.tsx'

/**
 * The place of a column. In the table of a wide window, columns are always in their order. On the card of a phone, `name` and
 * `amount` are above, `line` and `when` below, and `wide` does not appear.
 */
export type Place = 'name' | 'amount' | 'line' | 'when' | 'wide'

export interface Column<Row> {
  label: (texts: Texts) => string
  place: Place
  /** What the list can be sorted by in this column, in place of its label. */
  sorts?: readonly SortName[]
  /** True for numbers and instants, which are at the end of their cells. */
  isNumber?: boolean
  /** True for a column of buttons only, which paper leaves out. */
  isAction?: boolean
  cell(row: Row, voice: Voice): ComponentChildren
}

/** A list, which is declared once. */
export interface List<Row> {
  /** Returns what the rows are, and their order. */
  caption: (texts: Texts) => string
  columns: readonly Column<Row>[]
  /** True if, on the card of a phone, `line` has the whole width and `amount` comes last. */
  hasLongLines?: boolean
  /** True if all columns are as wide as each other, and stand beside each other on the card of a phone, below the name. */
  hasEvenColumns?: boolean
  /** True for many columns. The table scrolls in a window that is too narrow, and on a phone `line` and `when` have rows of their own. */
  isBroad?: boolean
  /** The values by which a row is ticked. Without it, rows have no boxes, and a row without a value has none. */
  pick?: { id: (row: Row) => string | undefined; label: (row: Row, voice: Voice) => string }
}

interface TableProps<Row> {
  list: List<Row>
  rows: readonly Row[]
  voice: Voice
  /** How the list is sorted, where its columns have orders. */
  sorting?: Sorting | undefined
  /** Shows the caption as a heading of the card. */
  hasHeading?: boolean
  /** The actions for ticked rows. */
  bulk?: ComponentChildren
}

/**
 * Shows the table of a list, or cards on a phone. The roles are explicit, because the style of cards removes them from tables.
 */
export function Table<Row>({ list, rows, voice, sorting, hasHeading, bulk }: TableProps<Row>) {
  const { columns, caption, pick, hasLongLines, hasEvenColumns, isBroad } = list
  const { texts } = voice
  return (
    <div
      class={classes('card list cards', hasLongLines && 'tall', hasEvenColumns && 'even', isBroad && 'broad')}
    >
      <table role="table">
        <caption class={hasHeading ? undefined : 'hidden'}>{caption(texts)}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {pick && (
              <th role="columnheader" class="pick">
                <label>
                  <input type="checkbox" data-all="id" aria-label={texts.page.selectAll} />
                </label>
              </th>
            )}
            {columns.map(column => (
              <th
                key={column.label(texts)}
                role="columnheader"
                scope="col"
                aria-sort={directionOf(column.sorts, sorting)}
                class={classes(
                  column.isNumber && 'num',
                  column.isAction && 'action',
                  column.place === 'wide' && 'only-wide',
                )}
              >
                {column.sorts === undefined || sorting === undefined ? (
                  column.label(texts)
                ) : (
                  <SortLinks sorts={column.sorts} sorting={sorting} texts={texts} />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          <InSlices
            count={rows.length}
            rowAt={at => <Line key={at} list={list} row={rows[at] as Row} voice={voice} />}
          />
        </tbody>
      </table>
      {bulk !== undefined && <div class="bulk">{bulk}</div>}
    </div>
  )
}

function Line<Row>({ list, row, voice }: Pick<TableProps<Row>, 'list' | 'voice'> & { row: Row }) {
  const { columns, pick } = list
  const id = pick?.id(row)
  return (
    <tr role="row">
      {pick && (
        <td role="cell" class="pick">
          {id !== undefined && (
            <label>
              <input type="checkbox" name="id" value={id} aria-label={pick.label(row, voice)} />
            </label>
          )}
        </td>
      )}
      {columns.map((column, at) => (
        <Cell key={at} column={column} row={row} voice={voice} />
      ))}
    </tr>
  )
}

function Cell<Row>({ column, row, voice }: { column: Column<Row>; row: Row; voice: Voice }) {
  const { place, isNumber, isAction } = column
  if (place === 'name') {
    return (
      <th role="rowheader" scope="row" class="name">
        {column.cell(row, voice)}
      </th>
    )
  }
  return (
    <td
      role="cell"
      class={classes(isNumber && 'num', isAction && 'action', place === 'wide' ? 'only-wide' : place)}
    >
      {column.cell(row, voice)}
    </td>
  )
}

function classes(...names: (string | false | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined
}

/** The search and the filters of a list, as they are in the address. */
export type Query = Readonly<Record<string, string | undefined>>

export interface FilterProps {
  path: string
  query: Query
  voice: Voice
  /** The label of the search. Without it, there is no search. */
  search?: string
  /** Choices that may each be left open. */
  filters?: Fields
  /** The names in the query that another search leaves as they are, such as a tab. */
  kept?: readonly string[]
  /** The id of the element that the search renews while somebody types. */
  results?: string
}

/** Shows the search and the filters of a list, and a chip for each active filter. */
export function ListTools({ path, query, voice, search, filters = {}, kept = [], results }: FilterProps) {
  const { texts } = voice
  const names = Object.keys(filters)
  const active = names.filter(name => query[name])
  return (
    <>
      <form class="tools" role="search" method="get" action={path} data-search={results}>
        {kept.map(name =>
          query[name] ? <input key={name} type="hidden" name={name} value={query[name]} /> : null,
        )}
        {search !== undefined && (
          <div class="search">
            <label class="hidden" for="q">
              {search}
            </label>
            <input
              id="q"
              name="q"
              type="search"
              value={query.q ?? ''}
              placeholder={search}
              autocomplete="off"
            />
            <button type="submit" class="button">
              <Icon name="search" />
              <span class="hidden">{texts.page.search}</span>
            </button>
          </div>
        )}
        {names.length > 0 && (
          <details open={active.length > 0 && search === undefined}>
            <summary class="button">{texts.page.filter}</summary>
            <div class="filters">
              {names.map(name => (
                <FilterField key={name} name={name} filters={filters} query={query} texts={texts} />
              ))}
              <button type="submit" class="button">
                {texts.page.apply}
              </button>
            </div>
          </details>
        )}
      </form>
      {active.length > 0 && (
        <p class="chips">
          {active.map(name => (
            <a
              key={name}
              class="chip"
              href={withQuery(path, { ...query, [name]: undefined, after: undefined })}
            >
              {filters[name]?.label(texts)}: <bdi>{choiceLabel(filters, name, query[name] ?? '', texts)}</bdi>{' '}
              <span aria-hidden="true">×</span>
              <span class="hidden">{texts.page.removeFilter}</span>
            </a>
          ))}
        </p>
      )}
    </>
  )
}

interface PagesProps {
  path: string
  query: Query
  shown: number
  /** The cursor of the next page, or undefined on the last. */
  next: string | undefined
  texts: Texts
  /** True for a list that does not begin with the newest. */
  isForward?: boolean
}

export function Pages({ path, query, shown, next, texts, isForward }: PagesProps) {
  const isFirst = query.after === undefined
  if (isFirst && next === undefined) return null
  return (
    <nav class="pages" aria-label={texts.page.pages}>
      <span>{texts.page.shown(shown)}</span>
      <span class="row">
        {!isFirst && (
          <a class="button" href={withQuery(path, { ...query, after: undefined })}>
            {isForward ? texts.page.first : texts.page.newest}
          </a>
        )}
        {next !== undefined && (
          <a class="button" href={withQuery(path, { ...query, after: next })}>
            {isForward ? texts.page.next : texts.page.older}
          </a>
        )}
      </span>
    </nav>
  )
}
