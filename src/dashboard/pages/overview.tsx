import * as events from '../../events/rules.ts'
import type { Event } from '../../events/schemas.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import type { TypeDetails } from '../../registration-types/schemas.ts'
import { may } from '../../users/roles.ts'
import { ButtonLink, Head, Live, PostButton, Stats } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { type List, Table } from '../../web/lists/list.tsx'
import type { Voice } from '../../web/voice.ts'
import type { OfEvent } from '../asked.ts'
import { button } from '../button.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'

/** How often figures are looked at again, in seconds. */
const EVERY = 5

const typeList: List<TypeDetails> = {
  caption: texts => texts.overview.byType,
  columns: [
    { label: texts => texts.overview.type, place: 'name', cell: ({ name }) => <bdi>{name}</bdi> },
    {
      label: texts => texts.events.sold,
      place: 'line',
      cell: ({ sold, capacity, available }, { texts, format }) => {
        const text = texts.events.soldOf(format.number(sold), format.number(capacity))
        return available === 0 ? texts.overview.soldOut(text) : text
      },
    },
    {
      label: texts => texts.overview.price,
      place: 'amount',
      isNumber: true,
      cell: ({ price, currency }, { texts, format }) =>
        price === 0 ? texts.overview.free : format.money(price, currency),
    },
  ],
}

export const overview = showPage('event', {
  path: '/e/{event}',
  permission: 'overview',
  navigation: { icon: 'home', text: texts => texts.navigation.overview },
  load: async (tx, { account, event }) => ({
    types: await registrationTypes.listDetails(tx, account.id, event.id),
  }),
  view: ({ types }, asked) => ({
    title: asked.voice.texts.navigation.overview,
    body: <Overview types={types} asked={asked} />,
  }),
})

function Overview({ types, asked }: { types: readonly TypeDetails[]; asked: OfEvent }) {
  const { event, voice } = asked
  const { texts, format } = voice
  const sum = (key: 'sold' | 'capacity') => types.reduce((total, type) => total + type[key], 0)
  const [sold, capacity] = [sum('sold'), sum('capacity')]
  return (
    <>
      <Head
        title={texts.navigation.overview}
        crumbs={<WhenAndWhere event={event} voice={voice} />}
        actions={<StatusButtons asked={asked} />}
      />
      <Live id="figures" every={EVERY}>
        {event.status === 'draft' && <Checklist types={types} asked={asked} />}
        <Stats
          label={texts.overview.figures}
          stats={[
            {
              name: texts.overview.ticketsSold,
              value: format.number(sold),
              of: texts.overview.of(format.number(capacity)),
              meter: { value: sold, max: capacity, label: format.percent(sold, capacity) },
            },
          ]}
        />
        {types.length > 0 && <Table list={typeList} rows={types} voice={voice} hasHeading />}
      </Live>
    </>
  )
}

function WhenAndWhere({ event, voice }: { event: Event; voice: Voice }) {
  const { texts, format } = voice
  const { starts_at, ends_at, venue, city } = event
  const when =
    starts_at === null
      ? texts.events.noDate
      : ends_at === null
        ? format.date(starts_at)
        : format.dates(starts_at, ends_at)
  const where = [venue, city].filter(Boolean).join(', ')
  return (
    <>
      {when}
      {where !== '' && (
        <>
          {' · '}
          <bdi>{where}</bdi>
        </>
      )}
    </>
  )
}

/** What is left to do before an event is published. */
function Checklist({ types, asked }: { types: readonly TypeDetails[]; asked: OfEvent }) {
  const { event, voice } = asked
  const { overview: texts } = voice.texts
  const steps = [
    { text: texts.stepDate, done: event.starts_at !== null, href: paths.editEvent(event.id) },
    { text: texts.stepTickets, done: types.some(({ active }) => active), href: paths.tickets(event.id) },
  ]
  return (
    <section class="card" aria-labelledby="checklist">
      <h2 id="checklist">{texts.checklist}</h2>
      <ul class="todo">
        {steps.map(({ text, done, href }) => (
          <li key={href}>
            <span>
              {done ? '✓ ' : ''}
              {text}
            </span>
            {!done && <ButtonLink href={href}>{texts.doIt}</ButtonLink>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What may be done with the event as it stands. */
function StatusButtons({ asked }: { asked: OfEvent }) {
  const { event, member, voice } = asked
  if (!may(member.role, 'events.edit')) return null
  const { overview: texts } = voice.texts
  return (
    <>
      <ButtonLink href={paths.duplicateEvent(event.id)}>{texts.duplicate}</ButtonLink>
      {event.status === 'published' && (
        <ButtonLink href={paths.cancelEvent(event.id)}>{texts.cancel}</ButtonLink>
      )}
      {event.status === 'published' && (
        <PostButton action={paths.completeEvent(event.id)}>{texts.complete}</PostButton>
      )}
      {event.status === 'draft' && (
        <PostButton action={paths.publishEvent(event.id)} tone="main">
          {texts.publish}
        </PostButton>
      )}
      {(event.status === 'cancelled' || event.status === 'completed') && (
        <PostButton action={paths.publishEvent(event.id)}>{texts.reopen}</PostButton>
      )}
    </>
  )
}

type Move = 'publish' | 'unpublish' | 'complete'

const movesTo: Readonly<Record<Move, Event['status']>> = {
  publish: 'published',
  unpublish: 'draft',
  complete: 'completed',
}

/** A change of the status that is done at once, as it can be undone. */
function moveButton(move: Move, undo: (asked: OfEvent) => string | undefined) {
  return button('event', {
    path: `/e/{event}/${move}`,
    permission: 'events.edit',
    act: (tx, { account, event }) => events.setStatus(tx, account.id, event.id, movesTo[move]),
    entry: ({ event }) => ({ action: `event.${move}`, targetType: 'event', targetId: event.id }),
    next: ({ id, title, status }, asked) => {
      const back = undo(asked)
      return {
        path: paths.event(id),
        flash: flash('eventMoved', { title, status }, back === undefined ? {} : { undo: back }),
      }
    },
    back: ({ event }) => paths.event(event.id),
  })
}

export const publishEvent = moveButton('publish', ({ event }) =>
  event.status === 'draft' ? paths.unpublishEvent(event.id) : undefined,
)
export const unpublishEvent = moveButton('unpublish', () => undefined)
export const completeEvent = moveButton('complete', ({ event }) => paths.publishEvent(event.id))

/** A page that asks first: everybody who looks for the event sees that it is cancelled. */
export const cancelEvent = formPage('event', {
  path: '/e/{event}/cancel',
  permission: 'events.edit',
  load: async (tx, { account, event }) => {
    const types = await registrationTypes.listDetails(tx, account.id, event.id)
    return { sold: types.reduce((sum, type) => sum + type.sold, 0) }
  },
  fields: () => ({}),
  seen: ({ sold }) => String(sold),
  view: ({ sold }, asked, state) => {
    const { event, voice } = asked
    const { overview: texts } = voice.texts
    const title = texts.cancelTitle(event.title)
    return {
      title,
      body: (
        <>
          <Head title={<bdi>{title}</bdi>} />
          <div class="card">
            <Form
              state={state}
              texts={voice.texts}
              action={paths.cancelEvent(event.id)}
              submit={texts.cancelSubmit}
              leave={paths.event(event.id)}
              isDanger
            >
              <ul class="will">
                <li>{texts.cancelShown}</li>
                <li>{texts.cancelKeeps(sold)}</li>
              </ul>
            </Form>
          </div>
        </>
      ),
    }
  },
  act: (tx, { account, event }) => events.setStatus(tx, account.id, event.id, 'cancelled'),
  entry: ({ event }) => ({ action: 'event.cancel', targetType: 'event', targetId: event.id }),
  next: ({ id, title, status }) => ({ path: paths.event(id), flash: flash('eventMoved', { title, status }) }),
})
