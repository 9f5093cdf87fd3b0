import { importing } from '#product/guests/imports/import.ts'
import { admit } from './admission.ts'
import * as store from './store.ts'

/** The import of guests. Who was checked in elsewhere is checked in here, at the same instant and by the same rule. */
export const importGuests = importing(async (tx, attendeeId, at) => {
  const ticket = await store.findTicket(tx, attendeeId)
  if (ticket !== undefined) await admit(tx, ticket, { source: 'api', at, scanId: null })
})
