import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { changeEach, type LaterDate } from '#product/catalog/events/later-dates.ts'
import * as looks from './rules.ts'
import type { NewLogo } from './schemas.ts'

/** All copies of a logo are written at once, and take this many bytes at most: more would hold up everybody else's writes. */
const MOST_LOGO_BYTES = 64 * 1024 * 1024

/**
 * Sets the colour of an event and, if that changes it, of later dates of the series.
 *
 * @param colour null for none of its own
 * @returns the ids of the later dates that were changed
 */
export async function setColourWithLater(
  tx: WriteTx,
  eventId: string,
  colour: string | null,
  later: readonly LaterDate[],
): Promise<readonly string[]> {
  const was = await looks.findOwn(tx, eventId)
  await looks.setColour(tx, eventId, colour)
  return was.colour === colour
    ? []
    : changeEach(tx, later, date => looks.setColour(tx, date.id, colour).then(() => date))
}

/**
 * Sets the logo of an event and of later dates of the series.
 *
 * @param logo null for none of its own
 * @returns the ids of the later dates
 * @throws Problem in_use with the reason logo_too_large, if it would take more than 64 MB on all of them
 */
export async function setLogoWithLater(
  tx: WriteTx,
  eventId: string,
  logo: NewLogo | null,
  later: readonly LaterDate[],
): Promise<readonly string[]> {
  const bytes = (logo?.content.length ?? 0) + (logo?.pageContent?.length ?? 0)
  if (bytes * later.length > MOST_LOGO_BYTES) {
    throw new Problem('in_use', { details: { reason: 'logo_too_large' } })
  }
  await looks.setLogo(tx, eventId, logo)
  return changeEach(tx, later, date => looks.setLogo(tx, date.id, logo).then(() => date))
}
