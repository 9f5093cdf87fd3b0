import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { question } from '#faces/dashboard/frame/form-parts.tsx'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { flash } from '#machinery/web/flash.ts'
import { emailField } from '#machinery/web/forms/field.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import type { Submitter } from '#product/programme/submissions/schemas.ts'
import * as submitters from '#product/programme/submissions/submitters.ts'
import { timeFieldIn } from './call-fields.ts'

interface Loaded {
  submitter: Submitter
  call: Call
}

async function load(tx: ReadTx, { event, params }: EventRequest): Promise<Loaded> {
  const submitter = await submitters.getOfEvent(tx, event.id, params.submitter ?? '')
  return { submitter, call: await calls.get(tx, event.id) }
}

/** What the parts of each form about a person have in common. */
function partsOf({ submitter }: Loaded, { event }: EventRequest) {
  const leave = paths.submitter(event.id, submitter.id)
  return { isOfPeople: true, crumbs: <a href={leave}>{<bdi>{submitter.name}</bdi>}</a>, leave }
}

/** Keeps the call open for one person after its end. The time is typed by the clocks that the deadline is read by. */
export const moreTime = formPage('event', {
  path: '/e/{event}/abstracts/people/{submitter}/time',
  permission: 'abstracts',
  takesWayBack: true,
  load,
  fields: ({ call }, { event, voice }) => ({
    until: timeFieldIn(call.zone ?? event.timezone, {
      label: ({ submitters }) => submitters.until,
      help: ({ submitters }) =>
        submitters.untilHelp(deadlineText(call, event.timezone, voice.format.language)),
    }),
  }),
  current: ({ submitter: { late_until } }) => ({
    until: late_until === null ? null : Date.parse(late_until),
  }),
  parts: (loaded, request) => {
    const { submitters: texts } = request.voice.texts
    return {
      ...partsOf(loaded, request),
      title: texts.timeTitle(loaded.submitter.name),
      about: texts.timeAbout,
      submit: texts.timeSubmit,
      isOnCard: true,
    }
  },
  act: async (tx, _, { values: { until }, changes, loaded: { submitter } }) =>
    'until' in changes ? await submitters.giveTime(tx, submitter.id, until) : undefined,
  entry: ({ params }) => ({
    action: 'submitter.time',
    targetType: 'submitter',
    targetId: params.submitter,
    details: (_, given) => (given === undefined ? {} : { until: given.late_until }),
  }),
  next: (given, { event, params }) => ({
    path: paths.submitter(event.id, params.submitter ?? ''),
    flash:
      given && flash(given.late_until === null ? 'moreTimeTaken' : 'moreTimeGiven', { name: given.name }),
  }),
})

/** Asks before it ends the links of a person. */
export const renewSubmitterLink = formPage('event', {
  path: '/e/{event}/abstracts/people/{submitter}/renew',
  permission: 'abstracts',
  takesWayBack: true,
  load,
  fields: () => ({}),
  preview: ({ submitter: { email, secret_version } }) => `${secret_version} ${email}`,
  parts: (loaded, request) => {
    const { submitters: texts } = request.voice.texts
    const { name, email } = loaded.submitter
    return question({
      ...partsOf(loaded, request),
      title: texts.renewTitle(name),
      will: texts.renewWill(email),
      submit: texts.renewSubmit,
      ...{ isDanger: true, keeps: 'links' },
    })
  },
  act: (tx, _, { loaded: { submitter } }) => submitters.renewLink(tx, submitter.id),
  entry: ({ params }) => ({
    action: 'submitter.renew_link',
    targetType: 'submitter',
    targetId: params.submitter,
  }),
  next: ({ id, name }, { event }) => ({
    path: paths.submitter(event.id, id),
    flash: flash('linkRenewed', { name }),
  }),
})

/** Corrects the e-mail of a person, of which both addresses are told. */
export const correctSubmitterEmail = formPage('event', {
  path: '/e/{event}/abstracts/people/{submitter}/email',
  permission: 'abstracts',
  takesWayBack: true,
  load,
  fields: () => ({ email: emailField({ label: ({ submitters }) => submitters.email }) }),
  current: ({ submitter: { email } }) => ({ email }),
  parts: (loaded, request) => {
    const { submitters: texts } = request.voice.texts
    return {
      ...partsOf(loaded, request),
      title: texts.correctTitle(loaded.submitter.name),
      about: texts.correctAbout,
      submit: texts.correctSubmit,
      isOnCard: true,
    }
  },
  act: async (tx, _, { values: { email }, changes, loaded: { submitter } }) =>
    'email' in changes ? await submitters.correctEmail(tx, submitter.id, email) : undefined,
  entry: ({ params }) => ({
    action: 'submitter.correct_email',
    targetType: 'submitter',
    targetId: params.submitter,
  }),
  next: (corrected, { event, params }) => ({
    path: paths.submitter(event.id, params.submitter ?? ''),
    flash: corrected && flash('emailCorrected', { name: corrected.name }),
  }),
})
