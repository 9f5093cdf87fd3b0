import { emailKey } from '#base/fields.ts'
import { newUuid } from '#base/ids.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import { findMailable, listMailable, type Mailable } from '#product/guests/registrations/mailable.ts'
import { guestTicketsMail } from './kinds.ts'

export const SEND_TICKETS = 'tickets.send'

/** The most tickets of a batch. */
const BATCH = 100

/** How much was sent. `kept` counts tickets that were not sent any more, because they changed after the job began. */
export type SendOutcome = Record<'mails' | 'tickets' | 'kept', number>

const NOTHING: SendOutcome = { mails: 0, tickets: 0, kept: 0 }

interface Sending {
  /** Whether tickets that were mailed before are sent again. */
  again: boolean
}

/**
 * Starts the job that sends tickets of an event by mail.
 *
 * @param mails the ids of the tickets, as `inMails` returns them
 */
export function startSending(
  tx: WriteTx,
  eventId: string,
  { mails, again, by }: Sending & { mails: readonly (readonly string[])[]; by: string },
): Promise<Job> {
  return jobs.start(tx, { kind: SEND_TICKETS, eventId, input: { mails, again }, total: mails.length, by })
}

/**
 * Writes the mails of a job. The transaction of a mail also notes that its tickets were sent and how far the job is, so a job that
 * is killed and goes on writes each mail once. The input has only ids, so that it holds no personal data.
 */
export const sendTickets: JobKind = {
  name: SEND_TICKETS,
  permission: 'messages',
  async run(tx, job) {
    const until = performance.now() + tx.batchTime
    const { mails, again } = job.input as { mails: string[][]; again: boolean }
    const outcome = { ...NOTHING, ...(job.outcome as Partial<SendOutcome> | null) }
    let { done } = job
    for (
      let tickets = 0;
      done < mails.length && tickets < BATCH && (tickets === 0 || performance.now() < until);
    ) {
      const ids = mails[done] as string[]
      const found = await findMailable(tx, ids)
      const cause = `${job.id} ${done}`
      const sent = await writeMails(tx, found, { eventId: job.event_id as string, cause, again })
      outcome.mails += sent.mails
      outcome.tickets += sent.tickets
      outcome.kept += ids.length - sent.tickets
      tickets += ids.length
      done++
    }
    return { position: String(done), done, finished: done === mails.length, outcome }
  },
}

/** Says how many mails were written, with how many tickets. */
export type Written = Record<'mails' | 'tickets', number>

/** Sends the tickets of one registration at once, also those that were sent before. */
export async function sendOfRegistration(tx: WriteTx, eventId: string, id: string): Promise<Written> {
  return sendAtOnce(tx, eventId, await listMailable(tx, [id]))
}

/** Sends one ticket at once, also if it was sent before. */
export async function sendTicket(tx: WriteTx, eventId: string, id: string): Promise<Written> {
  return sendAtOnce(tx, eventId, await findMailable(tx, [id]))
}

function sendAtOnce(tx: WriteTx, eventId: string, tickets: readonly Mailable[]): Promise<Written> {
  return writeMails(tx, tickets, { eventId, cause: newUuid(), again: true })
}

/**
 * Writes one mail to each address of these tickets, with those that can be mailed.
 *
 * @param cause nobody gets two mails of the same
 */
async function writeMails(
  tx: WriteTx,
  tickets: readonly Mailable[],
  { eventId, cause, again }: Sending & { eventId: string; cause: string },
): Promise<Written> {
  const byAddress = new Map<string, Mailable[]>()
  for (const ticket of tickets) {
    if (ticket.eventId !== eventId || ticket.refusal !== undefined || (ticket.mailedAt !== null && !again))
      continue
    const key = emailKey(ticket.address)
    byAddress.set(key, [...(byAddress.get(key) ?? []), ticket])
  }
  const written: Written = { mails: 0, tickets: 0 }
  for (const own of byAddress.values()) {
    const [{ address: recipient, language }] = own as [Mailable]
    const ids = own.map(({ id }) => id)
    const details = { tickets: ids, registrations: [...new Set(own.map(each => each.registrationId))] }
    if (!(await queue(tx, guestTicketsMail, { cause, recipient, language, eventId, details }))) continue
    await attendees.noteMailed(tx, ids)
    written.mails++
    written.tickets += ids.length
  }
  return written
}
