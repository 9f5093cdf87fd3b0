import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { abstract, organizationWith } from './abstracts.ts'
import { startDashboard } from './people/dashboard.ts'
import { openCall } from './submissions.ts'
import { startTicketMail } from './ticket-mail.ts'

const OTHER = { events: [{ slug: 'other', title: 'Other' }] }

/** Starts a server with a call whose deadline is read anywhere on earth, and with mails whose links open. */
export async function startChaired(t: TestContext, changes: Parameters<typeof openCall>[1] = {}) {
  const server = await startDashboard(t, organizationWith([abstract('A-1')], OTHER))
  const { db, clock, accountId, eventId, visitor } = server
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )
  const mail = await startTicketMail(t, db, clock, row?.cursor_secret)
  await openCall(server, { closes_at: Date.parse(CLOSES), zone: 'Etc/GMT+12', ...changes })
  return {
    ...server,
    mail,
    list: `/manage/e/${eventId}/abstracts`,
    person: (id: string) => `/manage/e/${eventId}/abstracts/people/${id}`,
    /** Opens the link in a mail as whoever has got it. */
    openLink: (text: string | undefined) => visitor().open(linkIn(text)),
    /** Returns what people did, the newest first. */
    logged: async () => {
      const all = await db.read(accountId, tx => accessLog.list(tx, 100))
      return all
        .filter(({ actor, action }) => actor.startsWith('user:') && action !== 'member.add')
        .map(({ action, target_type, target_id, details }) => ({ action, target_type, target_id, details }))
    },
  }
}

/** The deadline: 23:59 anywhere on earth. */
export const CLOSES = '2026-12-11T11:59:00Z'

/** Returns the path of the link in the text of a mail. */
export function linkIn(text = ''): string {
  const link = /https:\/\/tickets\.example\.org(\/[\w/-]+)/.exec(text)?.[1]
  assert.ok(link !== undefined, text)
  return link
}
