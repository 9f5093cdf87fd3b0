import { createHash } from 'node:crypto'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { Will } from '#faces/dashboard/frame/form-parts.tsx'
import { actorOf, type EventRequest, type Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import { choiceField } from '#machinery/web/forms/field.ts'
import { withQuery } from '#machinery/web/link.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { forecastMany, type ManyForecast } from '#product/guests/registrations/forecast.ts'
import * as cancellations from '#product/selling/event-cancellation/rules.ts'
import type { Texts } from '#texts/texts.ts'
import { readGuestQuery } from './guest-query.ts'

/** `forecastMany` counts this many waitlist entries at most. */
const MOST_WAITING = 10_000

const fields = {
  tell: choiceField(
    cancellations.audiences,
    ({ sending }) =>
      (['heard', 'all', 'nobody'] as const).map(value => ({ value, label: sending.audiences[value] })),
    { label: texts => texts.sending.audience, help: texts => texts.sending.audienceHelp },
    'radios',
  ),
}

/** Asks whether to cancel the registrations that were chosen in the list. The address says which. */
export const cancelManyGuests = formPage('event', {
  path: '/e/{event}/guests/cancel',
  permission: 'guests.edit',
  look: forecast,
  load: async (_tx, _request, _services, looked: ManyForecast) => looked,
  fields: () => fields,
  initial: () => ({ tell: 'heard' as const }),
  // The preview covers the very registrations, because the same number of others would be something else.
  preview: found => createHash('sha256').update(JSON.stringify(found)).digest('base64url'),
  parts: (found, { event, voice: { texts }, query }) => {
    const { guests: labels, page } = texts
    const count = found.ids.length
    const leave = withQuery(paths.guests(event.id), {
      q: query.get('q') ?? undefined,
      state: query.get('state') ?? undefined,
      type: query.get('type') ?? undefined,
      sent: query.get('sent') ?? undefined,
      sort: query.get('sort') ?? undefined,
    })
    const will = sentencesOf(found, texts)
    const nothing = (
      <div class="card stack">
        <Will sentences={will} />
        <ButtonLink href={leave}>{page.back}</ButtonLink>
      </div>
    )
    return {
      ...{ title: labels.confirmMany(count), crumbs: labels.title, leave },
      action: `${paths.cancelGuests(event.id)}?${query}`,
      ...{ submit: labels.submitMany(count), isDanger: true, keeps: 'registrations', will },
      instead: count === 0 ? nothing : undefined,
    }
  },
  act: (tx, request, { loaded: { ids }, values: { tell: notified } }) =>
    cancellations.start(tx, request.event.id, {
      ids,
      notified,
      by: actorOf(request).who,
    }),
  entry: ({ event }) => ({
    action: 'guests.cancel',
    targetType: 'job',
    targetOf: ({ id }) => id,
    details: (_, job) => ({ event_id: event.id, registrations: job?.total }),
  }),
  next: ({ id }, { event }) => ({ path: paths.job(event.id, id) }),
})

async function forecast({ db }: Services, request: EventRequest): Promise<ManyForecast> {
  const { account, event, query } = request
  const scope = query.get('scope')
  if (scope !== 'all') {
    const ids = query.getAll(scope === 'page' ? 'page' : 'id')
    return forecastMany(db, account.id, { event_id: event.id, ids })
  }
  const types = await db.read(account.id, tx => registrationTypes.listDetails(tx, event.id))
  const { filters } = readGuestQuery(request, types)
  return forecastMany(db, account.id, filters ?? { event_id: event.id, ids: [] })
}

function sentencesOf(
  { ids, tickets, extras, kept, isMore, waiting }: ManyForecast,
  { guests: texts }: Texts,
): string[] {
  const stay = [
    ...(kept.refund_required > 0 ? [texts.keptPaid(kept.refund_required)] : []),
    ...(kept.already_cancelled > 0 ? [texts.keptCancelled(kept.already_cancelled)] : []),
    ...(kept.not_cancellable > 0 ? [texts.keptOther(kept.not_cancellable)] : []),
  ]
  if (ids.length === 0) return [texts.nothingToCancel, ...stay]
  return [
    ...(isMore ? [texts.moreMatch(ids.length)] : []),
    texts.ticketsVoided(tickets),
    ...(extras > 0 ? [texts.extrasToo(extras)] : []),
    texts.placesFreed(tickets),
    waiting === 0 ? texts.nobodyWaits : texts.someWait(waiting, waiting === MOST_WAITING),
    ...stay,
  ]
}
