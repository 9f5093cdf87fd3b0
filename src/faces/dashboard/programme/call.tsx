import { Problem } from '#base/problem.ts'
import { isTimeZone, toIso } from '#base/time.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { flash } from '#machinery/web/flash.ts'
import { check } from '#machinery/web/forms/field.ts'
import type { FormState } from '#machinery/web/forms/form.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { type Call, callFields, type NewCall } from '#product/programme/calls/schemas.ts'
import {
  type CallValues,
  callFieldsIn,
  instantOf,
  keptZone,
  kindsOf,
  toNewCall,
  valuesOf,
  zoneOf,
} from './call-fields.ts'

interface Loaded {
  /** It is undefined as long as the event has none. */
  call: Call | undefined
  /** What a new call says until somebody changes it. */
  anew: NewCall
}

/** Sets up the call for abstracts of an event, or changes it. */
export const callForm = formPage('event', {
  path: '/e/{event}/abstracts/call',
  permission: 'abstracts',
  keepsTyped: true,
  load: async (tx, { event }, { clock }): Promise<Loaded> => ({
    call: await calls.find(tx, event.id),
    anew: calls.defaultsAt(clock(), event.timezone),
  }),
  fields: ({ call }, { event }) => callFieldsIn(event.timezone, call),
  current: ({ call }, { event }) => call && valuesOf(toNewCall(call), event.timezone),
  initial: ({ anew }, { event }) => valuesOf(anew, event.timezone),
  // The deadline is typed by the clocks that it is read by.
  scale: (typed, { event }) => ({ currency: event.currency, timezone: zoneTyped(typed, event.timezone) }),
  parts: ({ call }, request, state) => {
    const { event, voice } = request
    const { callSettings: texts, page, abstracts } = voice.texts
    return {
      title: texts.title,
      about: texts.titleAbout,
      crumbs: abstracts.title,
      leave: paths.abstracts(event.id),
      submit: call === undefined ? texts.create : page.save,
      rows: [
        { legend: texts.when, names: ['opens_at', 'closes_at'], side: true },
        ['zone'],
        <AuthorsRead key="read" state={state} request={request} />,
        ['about'],
        { legend: texts.text, names: ['max_words', 'sections'] },
        { legend: texts.choices, names: ['topics', 'talks', 'posters'], help: texts.choicesHelp },
        { legend: texts.fileTitle, names: ['file', 'max_file_mib'] },
        ['per_person'],
      ],
    }
  },
  act: (tx, { event }, { values, changes, loaded: { call, anew } }) => {
    const was = call === undefined ? anew : toNewCall(call)
    const { closes_at: _, zone: __, talks: ___, posters: ____, sections, topics, ...plain } = values
    return calls.put(tx, event.id, {
      ...was,
      ...plain,
      sections: [...sections],
      topics: [...topics],
      zone: keptZone(values.zone),
      closes_at: isLeft(call, changes, ['closes_at', 'zone'])
        ? was.closes_at
        : deadlineOf(values, event.timezone),
      kinds: isLeft(call, changes, ['talks', 'posters']) ? was.kinds : checkedKinds(values),
    })
  },
  entry: ({ event }) => ({ action: 'call.change', targetType: 'event', targetId: event.id }),
  next: (_, { event }) => ({ path: paths.abstracts(event.id), flash: flash('callSaved', {}) }),
})

/** Returns whether a call stays as it is in these fields, which may show less of it than there is. */
function isLeft(
  call: Call | undefined,
  changes: Partial<CallValues>,
  names: readonly (keyof CallValues)[],
): boolean {
  return call !== undefined && names.every(name => !(name in changes))
}

/** @throws Problem if the clocks of the chosen zone skip that time */
function deadlineOf({ closes_at, zone }: CallValues, timezone: string): number {
  const instant = instantOf(closes_at, zoneOf(zone, timezone))
  if (instant === undefined)
    throw new Problem('invalid_parameter', { param: 'closes_at', details: { reason: 'skipped_time' } })
  return instant
}

/** @throws Problem if talks and posters are too many together, or have the same name */
function checkedKinds(values: CallValues): NewCall['kinds'] {
  const parsed = check(callFields.kinds, kindsOf(values))
  if ('value' in parsed) return parsed.value
  throw new Problem('invalid_parameter', { param: 'posters', details: { reason: 'kinds_together' } })
}

function zoneTyped({ zone }: FormState['typed'], timezone: string): string {
  const chosen = zoneOf(zone?.[0] ?? '', timezone)
  return isTimeZone(chosen) ? chosen : timezone
}

/** Says how authors read the deadline that stands in the form. */
function AuthorsRead({ state: { typed }, request }: { state: FormState; request: EventRequest }) {
  const { event, voice } = request
  const zone = zoneTyped(typed, event.timezone)
  const instant = instantOf(typed.closes_at?.[0] ?? '', zone)
  if (instant === undefined) return null
  const read = deadlineText({ closes_at: toIso(instant), zone }, event.timezone, voice.format.language)
  return <p class="help">{voice.texts.callSettings.authorsRead(read)}</p>
}
