import type { Recipient, Some } from '../announcements/audience.ts'
import type { Page } from '../db/keyset.ts'
import type { ReadTx } from '../db/port.ts'
import { type Contacts, listContacts } from '../registrations/contacts.ts'
import { ERASED_EMAIL } from '../words.ts'
import type { Notice } from './schemas.ts'

/**
 * Whom a notice is for, oldest registration first; one person may be there more than once. A reminder is for those who come: whoever
 * a ticket names, and its buyer where it names no e-mail. All else is for buyers too, also of what still waits for approval.
 */
export async function listRecipients(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  notice: Pick<Notice, 'kind' | 'until' | 'isForAll'>,
  page: Page,
  mostTickets?: number,
): Promise<Some[]> {
  const withPending = notice.kind !== 'reminder'
  const contacts = await listContacts(tx, accountId, eventId, page, { withPending, mostTickets })
  return contacts.map(each => ({
    position: each.position,
    looked: Math.max(1, each.tickets.length),
    recipients: recipientsOf(each, notice).filter(({ email }) => email !== ERASED_EMAIL),
  }))
}

function recipientsOf(
  { buyer, tickets, language, isOrdered, confirmedAt }: Contacts,
  { kind, until, isForAll }: Pick<Notice, 'kind' | 'until' | 'isForAll'>,
): Recipient[] {
  const of = ({ name, email }: { name: string; email: string }) => ({ name, email, language })
  if (confirmedAt === null) return kind === 'reminder' ? [] : [of(buyer)]
  const holders = tickets.map(({ name, email }) =>
    of(email === null ? buyer : { name: name ?? buyer.name, email }),
  )
  if (kind !== 'reminder') return [of(buyer), ...holders]
  return (isOrdered || isForAll) && confirmedAt <= until ? holders : []
}
