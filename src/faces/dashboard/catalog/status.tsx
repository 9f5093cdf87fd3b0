import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { actorOf, type EventRequest, type Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { flash } from '#machinery/web/flash.ts'
import { choiceField, tickField } from '#machinery/web/forms/field.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { Event } from '#product/catalog/events/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as notices from '#product/mailing/notices/rules.ts'
import {
  type EventForecast,
  forecastRefunds,
  startRefunds,
} from '#product/selling/event-cancellation/event.ts'

type Move = 'unpublish' | 'complete'

const movesTo: Readonly<Record<Move, Event['status']>> = {
  unpublish: 'draft',
  complete: 'completed',
}

/** Declares a button that changes the status at once, because the change can be undone. */
function moveButton(move: Move, undo: (request: EventRequest) => string | undefined) {
  return button('event', {
    path: `/e/{event}/${move}`,
    permission: 'events.edit',
    act: (tx, { event }) => events.setStatus(tx, event.id, movesTo[move]),
    entry: ({ event }) => ({ action: `event.${move}`, targetType: 'event', targetId: event.id }),
    next: ({ id, title, status }, request) => {
      const back = undo(request)
      return {
        path: paths.event(id),
        flash: flash('eventMoved', { title, status }, back === undefined ? {} : { undo: back }),
      }
    },
    back: ({ event }) => paths.event(event.id),
  })
}

export const unpublishEvent = moveButton('unpublish', () => undefined)
export const completeEvent = moveButton('complete', ({ event }) => paths.publishEvent(event.id))

/** @param sold the number of tickets that stay valid without refunds */
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

interface Counted extends Awaited<ReturnType<typeof notices.countRecipients>> {
  refunds: EventForecast
}

/** Asks before it cancels an event, because everybody who looks for the event sees the cancellation. */
export const cancelEvent = formPage('event', {
  path: '/e/{event}/cancel',
  belongsTo: '/e/{event}',
  permission: 'events.edit',
  look: async ({ db }: Services, { account, event }: EventRequest): Promise<Counted> => ({
    ...(await notices.countRecipients(db, account.id, event.id)),
    refunds: await forecastRefunds(db, account.id, event.id),
  }),
  load: async (tx, { event }, _services, counted: Counted) => {
    const types = await registrationTypes.listDetails(tx, event.id)
    return { sold: types.reduce((sum, type) => sum + type.sold, 0), counted }
  },
  fields: ({ sold }) => cancelFields(sold),
  // If refunds are due, the user has to choose.
  initial: ({ counted }) =>
    counted.refunds.amount > 0 ? { tell: true } : { tell: true, money: 'keep' as const },
  preview: ({ sold, counted: { recipients, refunds } }) =>
    [sold, recipients, refunds.count, refunds.amount].join(' '),
  parts: ({ sold, counted }, { event, voice }) => {
    const { overview: texts, notices: labels } = voice.texts
    const { recipients, isMore, refunds } = counted
    const count = voice.format.number(recipients)
    const sum = voice.format.money(refunds.amount, event.currency)
    return {
      ...{ title: texts.cancelTitle(event.title), isOfPeople: true },
      ...{ submit: texts.cancelSubmit, isDanger: true, keeps: 'event', leave: paths.event(event.id) },
      will: [
        texts.cancelShown,
        ...(sold === 0 ? [texts.cancelNobody] : []),
        ...(recipients > 0 ? [labels.people(count, recipients, isMore)] : []),
        ...(refunds.amount > 0 ? [texts.cancelSum(refunds.count, sum)] : []),
        ...(refunds.amount === 0 && sold > 0 ? [texts.cancelStay(sold)] : []),
      ],
      rows: [
        [...(refunds.amount > 0 ? ['money' as const] : []), ...(recipients > 0 ? ['tell' as const] : [])],
      ],
      more: refunds.amount === 0 && <input type="hidden" name="money" value="keep" />,
    }
  },
  act: async (tx, request, { values, loaded: { counted } }) => {
    const { event } = request
    const { status: before } = await events.get(tx, event.id)
    const cancelled = await events.setStatus(tx, event.id, 'cancelled')
    // Another user who cancelled the event first has notified the attendees.
    const isFirst = before !== 'cancelled'
    const by = actorOf(request).who
    const total = counted.isMore ? null : counted.recipients
    const mailing =
      values.tell && isFirst && counted.recipients > 0
        ? await notices.notifyCancelled(tx, event.id, { total, by })
        : undefined
    // The mails are written before the refunds start, because each mail says what its reader has, and afterwards nobody has
    // anything.
    const refunds =
      values.money === 'refund' && counted.refunds.amount > 0
        ? await startRefunds(tx, event.id, {
            isNotified: values.tell,
            total: counted.refunds.count,
            by,
          })
        : undefined
    return { ...cancelled, job: (refunds ?? mailing)?.id }
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
