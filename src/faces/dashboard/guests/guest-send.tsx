import { emailKey } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { Will } from '#faces/dashboard/frame/form-parts.tsx'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { OF_MESSAGES } from '#faces/dashboard/mailing/message-parts.tsx'
import { ButtonLink, NamedLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { listMailable, type Mailable } from '#product/guests/registrations/mailable.ts'
import { sendOfRegistration, sendTicket } from '#product/selling/guest-mails/send-tickets.ts'
import type { Texts } from '#texts/texts.ts'
import { readGuest } from './guest.tsx'

/** Asks whether to send the tickets of a registration, or the only one that the address names. */
export const sendGuestTickets = formPage('event', {
  ...OF_MESSAGES,
  path: '/e/{event}/guests/{registration}/send',
  load: async (tx, request) => {
    const guest = await readGuest(tx, request)
    const all = await listMailable(tx, [guest.id])
    const only = request.query.get('ticket')
    const tickets = all.filter(({ id }) => only === null || id === only)
    if (tickets.length === 0) throw new Problem('not_found')
    return { guest, only, tickets }
  },
  fields: () => ({}),
  preview: ({ tickets }) => JSON.stringify(tickets.map(({ id, address, refusal }) => [id, address, refusal])),
  parts: ({ guest, only, tickets }, { event, voice: { texts }, query }) => {
    const { sending, page } = texts
    const leave = paths.guest(event.id, guest.id)
    const name = only === null ? guest.buyer.name : (tickets[0]?.name ?? '')
    const good = tickets.filter(({ refusal }) => refusal === undefined)
    const isCancelled = event.status === 'cancelled'
    const will = isCancelled ? [sending.eventCancelled] : sentencesOf(tickets, texts)
    const nothing = (
      <div class="card stack">
        <Will sentences={will} />
        <ButtonLink href={leave}>{page.back}</ButtonLink>
      </div>
    )
    return {
      title: tickets.length === 1 ? sending.sendTo(name) : sending.sendAllTo(name),
      ...{ isOfPeople: true, crumbs: <NamedLink href={leave} name={guest.buyer.name} />, leave, will },
      action: `${paths.sendTicketsOf(event.id, guest.id)}?${query}`,
      submit: tickets.length === 1 ? sending.send : sending.sendAll,
      instead: good.length === 0 || isCancelled ? nothing : undefined,
    }
  },
  act: async (tx, { event }, { loaded: { guest, only } }) => {
    const written =
      event.status === 'cancelled'
        ? { mails: 0, tickets: 0 }
        : only === null
          ? await sendOfRegistration(tx, event.id, guest.id)
          : await sendTicket(tx, event.id, only)
    if (written.mails === 0)
      throw new Problem('invalid_transition', { details: { reason: 'nothing_to_send' } })
    return { ...guest, ...written }
  },
  entry: ({ params }) => ({
    action: 'ticket.send',
    targetType: 'registration',
    targetId: params.registration,
    details: (_, sent) => ({ tickets: sent?.tickets }),
  }),
  next: ({ id, buyer, tickets }, { event }) => ({
    path: paths.guest(event.id, id),
    flash: flash('ticketsSent', { name: buyer.name, tickets }),
  }),
})

function sentencesOf(tickets: readonly Mailable[], { sending }: Texts) {
  const good = tickets.filter(({ refusal }) => refusal === undefined)
  const addresses = new Map(good.map(({ address }) => [emailKey(address), address]))
  const count = (which: Mailable['refusal']) => tickets.filter(({ refusal }) => refusal === which).length
  const before = good.filter(({ mailedAt }) => mailedAt !== null).length
  const [address] = addresses.values()
  return [
    ...(good.length === 1 ? [<bdi key="to">{sending.willTo(address ?? '')}</bdi>] : []),
    ...(good.length > 1 ? [sending.will(good.length, addresses.size)] : []),
    ...(before > 0 ? [good.length === 1 ? sending.beforeOne : sending.beforeSome(before)] : []),
    ...(count('no_address') > 0 ? [sending.noAddress(count('no_address'))] : []),
    ...(count('unverified') > 0 ? [sending.unverified(count('unverified'))] : []),
    ...(count('extra') > 0 ? [sending.extras(count('extra'))] : []),
    ...(count('not_valid') > 0 ? [sending.notValid(count('not_valid'))] : []),
  ]
}
