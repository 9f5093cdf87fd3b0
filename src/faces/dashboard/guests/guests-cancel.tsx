import { createHash } from 'node:crypto'
import * as cancellations from '../../cancellations/rules.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import { forecastMany, type ManyForecast } from '../../registrations/forecast.ts'
import { ButtonLink, Head } from '../../web/components/parts.tsx'
import { tickField } from '../../web/forms/field.ts'
import { FieldRows, Form } from '../../web/forms/form-view.tsx'
import { withQuery } from '../../web/link.ts'
import type { Texts } from '../../web/texts/texts.ts'
import { actorOf, type OfEvent, type Services } from '../asked.ts'
import { formPage } from '../form-page.ts'
import { readGuestQuery } from '../guest-query.ts'
import { paths } from '../paths.ts'

/** As many as `forecastMany` counts of those who wait. */
const MOST_WAITING = 10_000

const fields = {
  tell: tickField({ label: texts => texts.guests.tellOrdered, help: texts => texts.guests.tellOrderedHelp }),
}

/** Asks whether to cancel the registrations that were chosen in the list: its address says which. */
export const cancelManyGuests = formPage('event', {
  path: '/e/{event}/guests/cancel',
  permission: 'guests.edit',
  look: forecast,
  load: async (_tx, _asked, _services, looked: ManyForecast) => looked,
  fields: () => fields,
  initial: () => ({ tell: true }),
  // The very registrations: as many others would be something else.
  seen: found => createHash('sha256').update(JSON.stringify(found)).digest('base64url'),
  view: (found, asked, state) => {
    const { event, voice, query } = asked
    const { texts } = voice
    const count = found.ids.length
    const title = texts.guests.confirmMany(count)
    const back = withQuery(paths.guests(event.id), {
      q: query.get('q') ?? undefined,
      state: query.get('state') ?? undefined,
      type: query.get('type') ?? undefined,
    })
    const will = (
      <ul class="will">
        {sentencesOf(found, texts).map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    )
    return {
      title,
      body: (
        <>
          <Head title={title} crumbs={<a href={back}>{texts.guests.title}</a>} />
          <div class="card stack">
            {count === 0 ? (
              <>
                {will}
                <ButtonLink href={back}>{texts.page.back}</ButtonLink>
              </>
            ) : (
              <Form
                state={state}
                texts={texts}
                action={`${paths.cancelGuests(event.id)}?${query}`}
                submit={texts.guests.submitMany(count)}
                leave={back}
                isDanger
              >
                {will}
                <FieldRows state={state} texts={texts} />
              </Form>
            )}
          </div>
        </>
      ),
    }
  },
  act: (tx, asked, { loaded: { ids }, values: { tell: isTold } }) =>
    cancellations.start(tx, asked.account.id, asked.event.id, { ids, isTold, by: actorOf(asked).who }),
  entry: ({ event }) => ({
    action: 'guests.cancel',
    targetType: 'job',
    targetOf: ({ id }) => id,
    details: (_, job) => ({ event_id: event.id, registrations: job?.total }),
  }),
  next: ({ id }, { event }) => ({ path: paths.job(event.id, id) }),
})

async function forecast({ db }: Services, asked: OfEvent): Promise<ManyForecast> {
  const { account, event, query } = asked
  const scope = query.get('scope')
  if (scope !== 'all') {
    const ids = query.getAll(scope === 'page' ? 'page' : 'id')
    return forecastMany(db, account.id, { event_id: event.id, ids })
  }
  const types = await db.read(tx => registrationTypes.listByEvent(tx, account.id, event.id))
  const { filters } = readGuestQuery(asked, types)
  return forecastMany(db, account.id, filters ?? { event_id: event.id, ids: [] })
}

function sentencesOf(
  { ids, tickets, kept, isMore, waiting }: ManyForecast,
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
    texts.placesFreed(tickets),
    waiting === 0 ? texts.nobodyWaits : texts.someWait(waiting, waiting === MOST_WAITING),
    ...stay,
  ]
}
