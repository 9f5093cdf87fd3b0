import { type EventForecast, forecastRefunds, startRefunds } from '../../cancellations/event.ts'
import * as events from '../../events/rules.ts'
import type { Event } from '../../events/schemas.ts'
import * as notices from '../../notices/rules.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import { may } from '../../users/roles.ts'
import { ButtonLink, Head, PostButton } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { choiceField, tickField } from '../../web/forms/field.ts'
import { FieldRows, Form } from '../../web/forms/form-view.tsx'
import { actorOf, type OfEvent, type Services } from '../asked.ts'
import { button } from '../button.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'

/** What may be done with the event as it stands. */
export function StatusButtons({ asked }: { asked: OfEvent }) {
  const { event, member, voice } = asked
  if (!may(member.role, 'events.edit')) return null
  const { overview: texts } = voice.texts
  return (
    <>
      {member.event_ids === null && (
        <ButtonLink href={paths.duplicateEvent(event.id)}>{texts.duplicate}</ButtonLink>
      )}
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

/** @param sold tickets that stay good without refunds */
const cancelFields = (sold: number) => ({
  tell: tickField({ label: texts => texts.overview.cancelTell }),
  money: choiceField(
    ['refund', 'keep'],
    ({ overview: texts }) => [
      { value: 'refund', label: texts.refundAll },
      { value: 'keep', label: texts.onlyCancel(sold) },
    ],
    { label: texts => texts.overview.cancelMoney },
    'radios',
  ),
})

interface Counted extends Awaited<ReturnType<typeof notices.countTold>> {
  refunds: EventForecast
}

/** A page that asks first: everybody who looks for the event sees that it is cancelled. */
export const cancelEvent = formPage('event', {
  path: '/e/{event}/cancel',
  permission: 'events.edit',
  look: async ({ db }: Services, { account, event }: OfEvent): Promise<Counted> => ({
    ...(await notices.countTold(db, account.id, event.id)),
    refunds: await forecastRefunds(db, account.id, event.id),
  }),
  load: async (tx, { account, event }, _services, counted: Counted) => {
    const types = await registrationTypes.listDetails(tx, account.id, event.id)
    return { sold: types.reduce((sum, type) => sum + type.sold, 0), counted }
  },
  fields: ({ sold }) => cancelFields(sold),
  // Where money is at stake, somebody has to choose.
  initial: ({ counted }) =>
    counted.refunds.amount > 0 ? { tell: true } : { tell: true, money: 'keep' as const },
  seen: ({ sold, counted: { recipients, refunds } }) =>
    [sold, recipients, refunds.count, refunds.amount].join(' '),
  view: ({ sold, counted }, asked, state) => {
    const { event, voice } = asked
    const { overview: texts, notices: said } = voice.texts
    const count = voice.format.number(counted.recipients)
    const title = texts.cancelTitle(event.title)
    const sum = voice.format.money(counted.refunds.amount, event.currency)
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
                {sold === 0 && <li>{texts.cancelNobody}</li>}
                {counted.recipients > 0 && <li>{said.people(count, counted.recipients, counted.isMore)}</li>}
                {counted.refunds.count > 0 && <li>{texts.cancelSum(counted.refunds.count, sum)}</li>}
              </ul>
              {counted.refunds.count > 0 ? (
                <FieldRows state={state} texts={voice.texts} names={['money', 'tell']} />
              ) : (
                <>
                  <FieldRows state={state} texts={voice.texts} names={['tell']} />
                  <input type="hidden" name="money" value="keep" />
                </>
              )}
            </Form>
          </div>
        </>
      ),
    }
  },
  act: async (tx, asked, { values, loaded: { counted } }) => {
    const { account, event } = asked
    const { status: before } = await events.get(tx, account.id, event.id)
    const cancelled = await events.setStatus(tx, account.id, event.id, 'cancelled')
    // Whoever was faster has told them.
    const isFirst = before !== 'cancelled'
    const by = actorOf(asked).who
    const total = counted.isMore ? null : counted.recipients
    const told =
      values.tell && isFirst && counted.recipients > 0
        ? await notices.tellCancelled(tx, account.id, event.id, { total, by })
        : undefined
    // After the mails are written: each says what somebody has, and nobody has anything any more then.
    const refunds =
      values.money === 'refund' && counted.refunds.count > 0
        ? await startRefunds(tx, account.id, event.id, {
            isTold: values.tell,
            total: counted.refunds.count,
            by,
          })
        : undefined
    return { ...cancelled, job: (refunds ?? told)?.id }
  },
  entry: ({ event }) => ({
    action: 'event.cancel',
    targetType: 'event',
    targetId: event.id,
    details: (_, cancelled) => (cancelled?.job === undefined ? {} : { job_id: cancelled.job }),
  }),
  next: ({ id, title, status, job }) => ({
    path: job === undefined ? paths.event(id) : paths.job(id, job),
    flash: flash('eventMoved', { title, status }),
  }),
})
