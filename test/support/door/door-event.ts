import type { TestContext } from 'node:test'
import type { NewDevice } from '#product/entrance/doors/schemas.ts'
import { readEventTypes } from '../observations.ts'
import { newRegistration } from '../requests.ts'
import { type ServerOptions, startWithOrganization } from '../server.ts'
import { pairDoor } from './door.ts'

/** Starts a server with an event, two doors, and registrations by its API. */
export async function startWithDoors(t: TestContext, file?: object, options?: ServerOptions) {
  const server = await startWithOrganization(t, file as Parameters<typeof startWithOrganization>[1], options)
  const { applied, client, db, eventId } = server
  const accountId = applied.account_id
  const sell = async (more: Record<string, unknown> = {}) => {
    const { body } = await client.post('/registrations', newRegistration(server, more))
    return {
      id: body.id,
      ticket: body.attendees[0].id as string,
      code: body.attendees[0].qr_code as string,
      body,
    }
  }
  const pair = async (input: Partial<NewDevice> = {}) =>
    pairDoor(server, accountId, { event_id: eventId, ...input })
  const { door: a, id: aId } = await pair({ name: 'Door A' })
  const { door: b, id: bId } = await pair({ name: 'Door B' })
  const inside = async () => {
    const { body } = await client.get('/check-ins?limit=100')
    return body.data as { id: string; attendee_id: string; source: string; checked_in_at: string }[]
  }
  const emitted = async (type: string) => (await readEventTypes(db)).filter(each => each === type).length
  return { ...server, accountId, sell, pair, a, b, aId, bId, inside, emitted, db }
}
