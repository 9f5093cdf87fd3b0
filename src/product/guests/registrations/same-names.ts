import { emailKey } from '#base/fields.ts'
import type { Details } from './details.ts'
import type { Amendment } from './schemas.ts'

type Changes = Pick<Amendment, 'buyer' | 'attendees'>

/**
 * Carries a change of name or e-mail over to the other field that has the same. Most guests are buyer and holder at once, and
 * whoever corrects a name in one field means both. A field that the form itself has changed keeps what was typed there.
 */
export function withSameNames({ buyer: was, attendees: tickets }: Details, changes: Changes): Changes {
  const given = new Map((changes.attendees ?? []).map(ticket => [ticket.id, ticket]))
  const buyer = { ...buyerAfter(was, tickets, given), ...changes.buyer }
  for (const { id, name, email } of tickets) {
    const own = given.get(id) ?? { id }
    const isSameName = name === was.name && own.name === undefined && buyer.name !== undefined
    const isSameEmail =
      email !== null &&
      emailKey(email) === emailKey(was.email) &&
      own.email === undefined &&
      buyer.email !== undefined
    if (!isSameName && !isSameEmail) continue
    given.set(id, {
      ...own,
      ...(isSameName ? { name: buyer.name } : {}),
      ...(isSameEmail ? { email: buyer.email } : {}),
    })
  }
  return { buyer, ...(given.size > 0 ? { attendees: [...given.values()] } : {}) }
}

/**
 * Returns the name of the buyer that a changed ticket brings. A ticket that goes to another address as well is another person's,
 * and so is one of several in the name of the buyer.
 */
function buyerAfter(
  was: Details['buyer'],
  tickets: Details['attendees'],
  given: ReadonlyMap<string, { name?: string | null | undefined; email?: string | null | undefined }>,
): { name?: string } {
  const same = tickets.filter(({ name }) => name === was.name)
  const change = same.length === 1 ? given.get(same[0]?.id ?? '') : undefined
  const isCorrected = change?.email === undefined && typeof change?.name === 'string'
  return isCorrected ? { name: change.name as string } : {}
}
