import type { Texts } from '#texts/texts.ts'

/** An order of a list, as it is named in addresses and to people. */
export interface SortName {
  name: string
  label: (texts: Texts) => string
}

type Direction = 'ascending' | 'descending'

/** How a list is sorted. */
export interface Sorting {
  by: string
  direction: Direction
  /** Returns the address of another order. That of the present one turns it around. */
  hrefOf: (name: string) => string
}

/** Returns how a column is sorted. @returns undefined if the list is not sorted by it */
export function directionOf(
  sorts: readonly SortName[] | undefined,
  sorting: Sorting | undefined,
): Direction | undefined {
  return sorts?.some(({ name }) => name === sorting?.by) ? sorting?.direction : undefined
}

/** Shows the orders of a column as links. */
export function SortLinks({
  sorts,
  sorting,
  texts,
}: {
  sorts: readonly SortName[]
  sorting: Sorting
  texts: Texts
}) {
  return (
    <>
      {sorts.map(({ name, label }, at) => (
        <>
          {at > 0 && ' · '}
          <a key={name} href={sorting.hrefOf(name)} aria-current={sorting.by === name ? 'true' : undefined}>
            {label(texts)}
          </a>
        </>
      ))}
    </>
  )
}
