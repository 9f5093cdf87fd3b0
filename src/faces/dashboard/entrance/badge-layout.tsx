import { makeFault } from '#base/faults.ts'
import { integer } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import {
  badgeFormats,
  hasRoomForCode,
  MOST_OFFSET,
  OWN_SIDES,
} from '#machinery/ticket-documents/badge-formats.ts'
import { PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { check, choiceField, type Field, isBlank, type Named, tickField } from '#machinery/web/forms/field.ts'
import { type BadgeLayout, usualLayout } from '#product/catalog/events/badge-layout.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as questions from '#product/guests/questions/rules.ts'
import type { Question } from '#product/guests/questions/schemas.ts'

/** Who may change an event may choose what badges show: some answers are not for everybody at a door. */
const OF_LAYOUT = { permission: 'events.edit', belongsTo: '/e/{event}/check-in' } as const

/** Returns a field for tenths of a millimetre, which people type as millimetres. */
function millimetreField(min: number, max: number, options: Named): Field<number> {
  return {
    ...options,
    control: { kind: 'input', type: 'text', inputmode: 'decimal', size: 'short' },
    required: true,
    print: value => [String(value / 10)],
    parse: typed => {
      if (isBlank(typed)) return { fault: makeFault('required') }
      const text = (typed[0] ?? '').trim().replace(',', '.').replace('\u2212', '-')
      const value = /^-?\d{1,3}(\.\d)?$/.test(text) ? Math.round(Number(text) * 10) : Number.NaN
      const read = check(integer(min, max), value)
      if ('value' in read) return read
      return { say: ({ badges }) => badges.wrongMillimetres(String(min / 10), String(max / 10)) }
    },
  }
}

const side = (name: 'width' | 'height') =>
  millimetreField(OWN_SIDES.least, OWN_SIDES.most, {
    label: ({ badges }) => badges[name],
    help: ({ badges }) => badges.ownHelp(String(OWN_SIDES.least / 10), String(OWN_SIDES.most / 10)),
  })

const offset = (name: 'offsetX' | 'offsetY') =>
  millimetreField(-MOST_OFFSET, MOST_OFFSET, {
    label: ({ badges }) => badges[name],
    help: ({ badges }) => badges.offsetHelp,
  })

const NONE = ''

function fieldsFor(asked: readonly Question[]) {
  return {
    format: choiceField(
      badgeFormats,
      ({ badges }) => badgeFormats.map(value => ({ value, label: badges.formats[value] })),
      { label: ({ badges }) => badges.size },
      'radios',
    ),
    ...{ width: side('width'), height: side('height') },
    ...{ offset_x: offset('offsetX'), offset_y: offset('offsetY') },
    question: choiceField(
      [NONE, ...asked.map(({ key }) => key)],
      ({ badges }) => [
        { value: NONE, label: badges.noAnswer },
        ...asked.map(({ key, label }) => ({ value: key, label })),
      ],
      { label: ({ badges }) => badges.answer },
    ),
    qr: tickField({ label: ({ badges }) => badges.qr }),
  }
}

/** Edits how the badges of an event are printed. */
export const badgeLayout = formPage('event', {
  ...OF_LAYOUT,
  path: '/e/{event}/badges/layout',
  load: async (tx, { event }) => {
    const all = await questions.list(tx, event.id)
    return {
      layout: (await events.getDetails(tx, event.id)).badge_layout,
      asked: all.filter(({ asked_for, retired }) => asked_for === 'ticket' && !retired),
    }
  },
  fields: ({ asked }) => fieldsFor(asked),
  current: ({ layout, asked }) => {
    const shown = layout ?? usualLayout
    const isAsked = asked.some(({ key }) => key === shown.question)
    return { ...shown, question: isAsked ? (shown.question as string) : NONE }
  },
  parts: ({ layout }, { event, voice: { texts } }) => {
    const { badges } = texts
    return {
      title: badges.layoutTitle,
      about: badges.contentAbout,
      crumbs: badges.title,
      leave: paths.badges(event.id),
      submit: badges.save,
      rows: [
        ['format'],
        { legend: badges.ownSize, names: ['width', 'height'] },
        { legend: badges.content, names: ['question', 'qr'] },
        { legend: badges.offsets, names: ['offset_x', 'offset_y'] },
      ],
      rest:
        layout === null ? undefined : (
          <div>
            <PostButton action={paths.stopBadges(event.id)}>{badges.stop}</PostButton>
            <p class="help">{badges.stopAbout}</p>
          </div>
        ),
    }
  },
  act: (tx, { event }, { values: { question, ...values } }) => {
    const layout = { ...values, question: question === NONE ? null : question }
    if (layout.qr && !hasRoomForCode(layout))
      throw new Problem('invalid_parameter', { param: 'qr', details: { reason: 'no_room_for_code' } })
    return setLayout(tx, event.id, layout)
  },
  entry: ({ event }) => ({ ...entryFor(event.id), hasChanged: () => true }),
  next: ({ id, title }) => ({ path: paths.badges(id), flash: flash('eventSaved', { title }) }),
})

/** Takes the badges of an event away. What was printed stays noted. */
export const stopBadges = button('event', {
  ...OF_LAYOUT,
  path: '/e/{event}/badges/layout/stop',
  act: (tx, { event }) => setLayout(tx, event.id, null),
  entry: ({ event }) => entryFor(event.id),
  next: ({ id, title }) => ({ path: paths.badges(id), flash: flash('eventSaved', { title }) }),
  back: ({ event }) => paths.badgeLayout(event.id),
})

function setLayout(tx: WriteTx, eventId: string, layout: BadgeLayout | null) {
  return events.update(tx, eventId, { badge_layout: layout })
}

function entryFor(eventId: string) {
  return {
    action: 'event.update',
    targetType: 'event',
    targetId: eventId,
    details: () => ({ changed: ['badge_layout'] }),
  }
}
