import { createHash } from 'node:crypto'
import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { Will } from '#faces/dashboard/frame/form-parts.tsx'
import { actorOf, type EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { OF_MESSAGES } from '#faces/dashboard/mailing/message-parts.tsx'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import { tickField } from '#machinery/web/forms/field.ts'
import { withQuery } from '#machinery/web/link.ts'
import { inMails, type SendForecast } from '#product/selling/guest-mails/forecast-sending.ts'
import { startSending } from '#product/selling/guest-mails/send-tickets.ts'
import type { Texts } from '#texts/texts.ts'
import { forecastChosen } from './send-choice.ts'

const mailedOf = ({ tickets }: SendForecast) => tickets.filter(({ isMailed }) => isMailed).length

/** Asks whether to send the tickets that the address chooses, and says how many people get them. */
export const sendManyTickets = formPage('event', {
  ...OF_MESSAGES,
  path: '/e/{event}/guests/send',
  look: forecastChosen,
  load: async (_tx, _request, _services, looked: SendForecast) => looked,
  fields: found => ({ again: tickField({ label: ({ sending }) => sending.again(mailedOf(found)) }) }),
  initial: () => ({ again: false }),
  // The preview covers the very tickets and their addresses, because another address would be somebody else.
  preview: found => createHash('sha256').update(JSON.stringify(found)).digest('base64url'),
  parts: (found, request) => {
    const { event, voice, query } = request
    const { guests, page, sending } = voice.texts
    const leave = leaveOf(request)
    const mailed = mailedOf(found)
    const isCancelled = event.status === 'cancelled'
    const will = isCancelled ? [sending.eventCancelled] : sentencesOf(found, voice.texts)
    const nothing = (
      <div class="card stack">
        <Will sentences={will} />
        <ButtonLink href={leave}>{page.back}</ButtonLink>
      </div>
    )
    return {
      ...{ title: sending.title(found.tickets.length - mailed), crumbs: guests.title, leave, will },
      action: `${paths.sendTickets(event.id)}?${query}`,
      submit: sending.submit(inMails(found.tickets, false).length),
      rows: [mailed > 0 ? ['again'] : []],
      instead: found.tickets.length === 0 || isCancelled ? nothing : undefined,
    }
  },
  act: (tx, request, { loaded: { tickets }, values: { again } }) => {
    const mails = inMails(tickets, again)
    if (mails.length === 0 || request.event.status === 'cancelled')
      throw new Problem('invalid_transition', { details: { reason: 'nothing_to_send' } })
    return startSending(tx, request.event.id, { mails, again, by: actorOf(request).who })
  },
  entry: ({ event }) => ({
    action: 'tickets.send',
    targetType: 'job',
    targetOf: ({ id }) => id,
    details: (_, job) => ({ event_id: event.id, mails: job?.total }),
  }),
  next: ({ id }, { event }) => ({ path: paths.job(event.id, id) }),
})

/** Returns the way back: the import that it came from, or the list as it was narrowed. */
function leaveOf({ event, query }: EventRequest): string {
  const upload = query.get('import')
  if (upload !== null) return paths.guestImport(event.id, upload)
  const names = ['q', 'state', 'type', 'sent', 'sort'] as const
  return withQuery(
    paths.guests(event.id),
    Object.fromEntries(names.map(name => [name, query.get(name) ?? undefined])),
  )
}

function sentencesOf(found: SendForecast, { sending }: Texts): string[] {
  const { tickets, kept, isMore } = found
  const mailed = mailedOf(found)
  const fresh = tickets.length - mailed
  return [
    ...(fresh > 0 ? [sending.will(fresh, inMails(tickets, false).length)] : []),
    ...(mailed > 0 ? [sending.before(mailed)] : []),
    ...(kept.no_address > 0 ? [sending.noAddress(kept.no_address)] : []),
    ...(kept.unverified > 0 ? [sending.unverified(kept.unverified)] : []),
    ...(kept.extra > 0 ? [sending.extras(kept.extra)] : []),
    ...(kept.not_valid > 0 ? [sending.notValid(kept.not_valid)] : []),
    ...(isMore ? [sending.more] : []),
    ...(tickets.length > 0 ? [sending.cannotTakeBack] : []),
  ]
}
