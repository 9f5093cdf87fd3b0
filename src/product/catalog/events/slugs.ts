import { Problem } from '#base/problem.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as seriesStore from './series-store.ts'
import { slugOf, withNumber } from './slug.ts'
import * as store from './store.ts'

/** Returns the id of the event or the series that has a slug: their pages stand side by side. */
async function findOwner(tx: ReadTx, slug: string): Promise<string | undefined> {
  return ((await store.findBySlug(tx, slug)) ?? (await seriesStore.findBySlug(tx, slug)))?.id
}

/** Returns a slug from a text that no event and no series of the account has, with a number if it must. */
export async function makeFreeSlug(tx: ReadTx, text: string): Promise<string> {
  const slug = slugOf(text)
  let free = slug
  for (let number = 2; (await findOwner(tx, free)) !== undefined; number++) free = withNumber(slug, number)
  return free
}

/**
 * Refuses a slug that another event or a series of the account has.
 *
 * @param id of what will have it
 * @throws Problem already_taken for `slug`
 */
export async function refuseTakenSlug(tx: ReadTx, slug: string, id: string): Promise<void> {
  const owner = await findOwner(tx, slug)
  if (owner !== undefined && owner !== id) throw new Problem('already_taken', { param: 'slug' })
}
