import { createHash } from 'node:crypto'
import type { ReadTx } from '../../db/port.ts'
import { datePlaceOf, findUntold, forgetUntold } from '../../events/date-place.ts'
import * as events from '../../events/rules.ts'
import type { DatePlace } from '../../events/schemas.ts'
import { type Changed, listChanges } from '../../notices/date-place.tsx'
import * as notices from '../../notices/rules.ts'
import { Problem } from '../../problem.ts'
import { Facts, Head, PostButton } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { actorOf, type OfEvent, type Services } from '../asked.ts'
import { button } from '../button.ts'
import { formPage } from '../form-page.ts'
import { OF_MESSAGES } from '../message-parts.tsx'
import { paths } from '../paths.ts'

type Counted = Awaited<ReturnType<typeof notices.countTold>>

interface Loaded {
  was: DatePlace
  is: DatePlace
  counted: Counted
}

/** @throws Problem not_found where nobody was left untold */
async function readUntold(tx: ReadTx, { account, event }: OfEvent): Promise<Pick<Loaded, 'was' | 'is'>> {
  const was = await findUntold(tx, account.id, event.id)
  const details = await events.getDetails(tx, account.id, event.id)
  if (was === undefined || details.status !== 'published') throw new Problem('not_found')
  return { was, is: datePlaceOf(details) }
}

/** Asks whether to tell those who registered of another date or place. */
export const tellChange = formPage('event', {
  ...OF_MESSAGES,
  path: '/e/{event}/tell',
  look: ({ db }: Services, { account, event }: OfEvent): Promise<Counted> =>
    notices.countTold(db, account.id, event.id),
  load: async (tx, asked, _services, counted: Counted): Promise<Loaded> => ({
    ...(await readUntold(tx, asked)),
    counted,
  }),
  fields: () => ({}),
  seen: loaded => createHash('sha256').update(JSON.stringify(loaded)).digest('base64url'),
  view: ({ was, is, counted }, asked, state) => {
    const { event, voice } = asked
    const { texts, format } = voice
    const { notices: said } = texts
    const changes = listChanges(was, is, format.language, { withOnline: true })
    const count = format.number(counted.recipients)
    return {
      title: said.tellTitle,
      body: (
        <>
          <Head title={said.tellTitle} />
          <div class="card stack">
            <Facts facts={changes.map(change => factOf(change, said.before))} />
            <Form
              state={state}
              texts={texts}
              action={paths.tellChange(event.id)}
              submit={said.tellSubmit}
              leave={paths.event(event.id)}
            >
              <ul class="will">
                <li>{said.people(count, counted.recipients, counted.isMore)}</li>
                <li>{said.calendar}</li>
                <li>
                  <a href={paths.messageText(event.id, `event_changed.${format.language}`)}>{said.text}</a>
                </li>
              </ul>
            </Form>
            <div>
              <PostButton action={paths.tellNobody(event.id)}>{said.tellNobody}</PostButton>
            </div>
          </div>
        </>
      ),
    }
  },
  act: (tx, asked, { loaded: { counted } }) =>
    notices.tellChange(tx, asked.account.id, asked.event.id, {
      total: counted.isMore ? null : counted.recipients,
      by: actorOf(asked).who,
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

/** They need not know. */
export const tellNobody = button('event', {
  ...OF_MESSAGES,
  path: '/e/{event}/tell/nobody',
  act: async (tx, asked) => {
    await readUntold(tx, asked)
    await forgetUntold(tx, asked.account.id, asked.event.id)
  },
  entry: ({ event }) => ({ action: 'event.tell_nobody', targetType: 'event', targetId: event.id }),
  next: (_, { event }) => ({ path: paths.event(event.id), flash: flash('nobodyTold', {}) }),
  back: ({ event }) => paths.event(event.id),
})
