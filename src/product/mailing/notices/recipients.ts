import { ERASED_EMAIL } from '#base/words.ts'
import type { Page } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { type Contacts, listContacts } from '#product/guests/registrations/contacts.ts'
import type { Recipient, Some } from '#product/mailing/announcements/audience.ts'
import type { Notice } from './schemas.ts'

/**
 * Lists the recipients of a notice, oldest registration first. A person may appear more than once. A reminder goes to the people
 * who come: those whom a ticket names, and its buyer if it names no e-mail. Other notices also go to buyers, even if a
 * registration still waits for approval.
 */
export async function listRecipients(
  tx: ReadTx,
  eventId: string,
  notice: Pick<Notice, 'kind' | 'until' | 'isForAll'>,
  page: Page,
  mostTickets?: number,
): Promise<Some[]> {
  const withPending = notice.kind !== 'reminder'
  const contacts = await listContacts(tx, eventId, page, { withPending, mostTickets })
  return contacts.map(each => ({
    position: each.position,
    looked: Math.max(1, each.tickets.length),
    recipients: recipientsOf(each, notice).filter(({ email }) => email !== ERASED_EMAIL),
  }))
}

function recipientsOf(
  { buyer, tickets, language, isOrdered, confirmedAt, isExtra }: Contacts,
  { kind, until, isForAll }: Pick<Notice, 'kind' | 'until' | 'isForAll'>,
): Recipient[] {
  const of = ({ name, email }: { name: string; email: string }) => ({ name, email, language })
  if (confirmedAt === null) return kind === 'reminder' ? [] : [of(buyer)]
  const holders = tickets.map(({ name, email }) =>
    of(email === null ? buyer : { name: name ?? buyer.name, email }),
  )
  if (kind !== 'reminder') return [of(buyer), ...holders]
  return (isOrdered || isForAll) && confirmedAt <= until && !isExtra ? holders : []
}
