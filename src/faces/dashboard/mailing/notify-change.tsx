import { createHash } from 'node:crypto'
import { Problem } from '#base/problem.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { actorOf, type EventRequest, type Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { Facts, Head, PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import { clearUnnotified, datePlaceOf, findUnnotified } from '#product/catalog/events/date-place.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { DatePlace } from '#product/catalog/events/schemas.ts'
import { type Changed, listChanges } from '#product/mailing/notices/date-place.tsx'
import * as notices from '#product/mailing/notices/rules.ts'
import { OF_MESSAGES } from './message-parts.tsx'

type Counted = Awaited<ReturnType<typeof notices.countRecipients>>

interface Loaded {
  was: DatePlace
  is: DatePlace
  counted: Counted
}

/** @throws Problem not_found if no change is left to tell */
async function readUnnotified(tx: ReadTx, { event }: EventRequest): Promise<Pick<Loaded, 'was' | 'is'>> {
  const was = await findUnnotified(tx, event.id)
  const details = await events.getDetails(tx, event.id)
  if (was === undefined || details.status !== 'published') throw new Problem('not_found')
  return { was, is: datePlaceOf(details) }
}

/** Asks whether to tell attendees that the date or the place has changed. */
export const notifyChange = formPage('event', {
  ...OF_MESSAGES,
  path: '/e/{event}/tell',
  belongsTo: '/e/{event}',
  look: ({ db }: Services, { account, event }: EventRequest): Promise<Counted> =>
    notices.countRecipients(db, account.id, event.id),
  load: async (tx, request, _services, counted: Counted): Promise<Loaded> => ({
    ...(await readUnnotified(tx, request)),
    counted,
  }),
  fields: () => ({}),
  preview: loaded => createHash('sha256').update(JSON.stringify(loaded)).digest('base64url'),
  view: ({ was, is, counted }, request, state) => {
    const { event, voice } = request
    const { texts, format } = voice
    const { notices: labels } = texts
    const changes = listChanges(was, is, format.language, { withOnline: true })
    const count = format.number(counted.recipients)
    return {
      title: labels.tellTitle,
      body: (
        <>
          <Head title={labels.tellTitle} />
          <div class="card stack">
            <Facts facts={changes.map(change => factOf(change, labels.before))} />
            <Form
              state={state}
              texts={texts}
              action={paths.tellChange(event.id)}
              submit={labels.tellSubmit}
              leave={paths.event(event.id)}
            >
              <ul class="will">
                <li>{labels.people(count, counted.recipients, counted.isMore)}</li>
                <li>{labels.calendar}</li>
                <li>
                  <a href={paths.messageText(event.id, `event_changed.${format.language}`)}>{labels.text}</a>
                </li>
              </ul>
            </Form>
            <div>
              <PostButton action={paths.tellNobody(event.id)}>{labels.tellNobody}</PostButton>
            </div>
          </div>
        </>
      ),
    }
  },
  act: (tx, request, { loaded: { counted } }) =>
    notices.notifyChange(tx, request.event.id, {
      total: counted.isMore ? null : counted.recipients,
      by: actorOf(request).who,
    }),
  entry: ({ event }) => ({
    action: 'event.tell_change',
    targetType: 'event',
    targetId: event.id,
    details: (_, job) => ({ job_id: job?.id }),
  }),
  next: ({ id }, { event }) => ({ path: paths.job(event.id, id) }),
})

function factOf({ label, was, is }: Changed, before: string) {
  return [
    label,
    <>
      <bdi>{is || '–'}</bdi>
      <br />
      <span class="small quiet">
        {before}: <bdi>{was || '–'}</bdi>
      </span>
    </>,
  ] as const
}

/** Drops the notice if attendees need not know about the change. */
export const notifyNobody = button('event', {
  ...OF_MESSAGES,
  path: '/e/{event}/tell/nobody',
  act: async (tx, request) => {
    await readUnnotified(tx, request)
    await clearUnnotified(tx, request.event.id)
  },
  entry: ({ event }) => ({ action: 'event.tell_nobody', targetType: 'event', targetId: event.id }),
  next: (_, { event }) => ({ path: paths.event(event.id), flash: flash('nobodyTold', {}) }),
  back: ({ event }) => paths.event(event.id),
})
