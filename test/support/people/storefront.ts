import type { TestContext } from 'node:test'
import { Agent, request } from 'undici'
import type { WriteTx } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as pictures from '#product/catalog/events/pictures.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { Event, EventChanges } from '#product/catalog/events/schemas.ts'
import { organization } from '../organization.ts'
import { UNKNOWN_ID } from '../requests.ts'
import type { ServerOptions } from '../server.ts'
import { startDashboard } from './dashboard.ts'
import { seller } from './organizer.ts'

export interface Visit {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
  text: string
}

/** A browser sends this header for a page. */
const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'

/** Starts a server whose organizer has an address, `/ada/`, and reads its pages as visitors do. */
export async function startStorefront(t: TestContext, file = organization(), options?: ServerOptions) {
  const server = await startDashboard(t, file, options)
  const { db, app, client, accountId, eventId } = server
  const agent = new Agent({ connections: 20 })
  t.after(() => agent.close())
  await db.write(accountId, tx => accounts.update(tx, seller))

  /** Looks at a page as somebody's browser does. */
  const visit = async (
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<Visit> => {
    const answer = await request(new URL(app.url).origin + path, {
      method: method as 'GET',
      dispatcher: agent,
      headers: { accept: HTML, ...headers },
    })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    return { status: answer.statusCode, headers: answer.headers, bytes, text: bytes.toString() }
  }
  /**
   * Writes as another process does, whose commits the server sees some tenths of a second later, and then has the server commit
   * something itself: it looks again at once.
   */
  const write = async <Result>(
    work: (tx: WriteTx) => Promise<Result>,
    owner = accountId,
  ): Promise<Result> => {
    const result = await db.write(owner, work)
    await client.post('/check-ins', { attendee_id: UNKNOWN_ID })
    return result
  }
  const change = (changes: EventChanges, id = eventId) => write(tx => events.update(tx, id, changes))
  const setPicture = (bytes: Uint8Array, id = eventId) =>
    write(tx => pictures.put(tx, id, pictures.examine(bytes)))
  const setStatus = (status: Event['status'], id = eventId) =>
    write(tx => tx.run('UPDATE events SET status = $1 WHERE id = $2', [status, id]))
  return { ...server, visit, write, change, setPicture, setStatus }
}
