import type { Database } from '#machinery/db/port.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { setTerms, type Terms } from '#product/programme/abstracts/terms.ts'

interface Place {
  db: Database
  accountId: string
  eventId: string
}

/** What comes with a decision that is sent. */
export type Told = Partial<Omit<Terms, 'event_id'>>

/** Decides an abstract, with what comes with a decision that is sent. */
export async function decideAs(
  { db, accountId }: Pick<Place, 'db' | 'accountId'>,
  id: string,
  decided: abstracts.Decided = { decision: 'accepted' },
  { confirm_by = null, comments_told_at = null, registration_code_id = null }: Told = {},
): Promise<void> {
  await db.write(accountId, async tx => {
    await abstracts.decide(tx, id, decided)
    await setTerms(tx, id, { confirm_by, comments_told_at, registration_code_id })
  })
}

/** Makes a code that one person can register with. */
export function makeCode({ db, accountId, eventId }: Place, code = 'TALK-7F3K') {
  return db.write(accountId, tx =>
    codes.create(tx, eventId, {
      ...{ code, percent: 100, amount: null, registration_type_ids: null, valid_from: null },
      ...{ valid_until: null, max_tickets: 1, active: true, note: null },
    }),
  )
}
