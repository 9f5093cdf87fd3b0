import type { ReadPage } from './page-reader.ts'

/** Returns what a section of a page offers to copy. */
export function valueIn(page: ReadPage, section: string): string {
  const field = page.document.querySelector<HTMLInputElement>(
    `[aria-labelledby=${section}] :is(input, textarea)`,
  )
  return field?.value ?? ''
}
