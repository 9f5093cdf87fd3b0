import { createHash } from 'node:crypto'
import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { actorOf, type EventRequest, type Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import type { Voice } from '#machinery/web/voice.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { CountedAudience } from '#product/mailing/announcements/audience.ts'
import { type CountedReach, sendToDates } from '#product/mailing/announcements/dates.ts'
import { sendTest } from '#product/mailing/announcements/mail.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import type { Announcement } from '#product/mailing/announcements/schemas.ts'
import {
  countDraft,
  findOwnReach,
  ReachedDates,
  recordOther,
  sentencesOfReach,
  stopWithOthers,
} from './announcement-dates.tsx'
import {
  ANNOUNCEMENT_PATH,
  describeAudience,
  fillTitle,
  findAnnouncement,
  findDraft,
  ToAnnouncement,
  tellCounted,
} from './announcement-parts.tsx'
import { OF_MESSAGES } from './message-parts.tsx'

/** Asks whether to send an announcement, and says how many people get it. */
export const sendAnnouncement = formPage('event', {
  ...OF_MESSAGES,
  path: `${ANNOUNCEMENT_PATH}/send`,
  look: async (services: Services, request: EventRequest): Promise<CountedReach> => {
    const draft = await services.db.read(request.account.id, tx => findDraft(tx, request))
    return (await countDraft(services, request, draft)).counted
  },
  load: async (tx, request, _services, counted: CountedReach) => {
    const draft = await findDraft(tx, request)
    const names = await registrationTypes.listDetails(tx, request.event.id)
    return { draft, names, counted, reach: await findOwnReach(tx, request, draft) }
  },
  fields: () => ({}),
  // The preview covers the text and the audience too, because somebody else may have changed them.
  // It covers each date too: one that is published or cancelled meanwhile changes who gets it.
  preview: ({ draft: { subject, body, audience }, counted, reach }) =>
    digest({ subject, body, audience, counted, reach }),
  parts: ({ draft, names, counted: each, reach }, request) => {
    const { all: counted } = each
    const isOfDates = reach.dates.length > 1
    const { event, voice } = request
    const { announcements: own, page } = voice.texts
    const leave = paths.announcement(event.id, draft.id)
    const toNobody = (
      <div class="card stack">
        <p>{counted.unsubscribed > 0 ? own.nobodyUnsubscribed : own.nobody}</p>
        <ButtonLink href={leave}>{page.back}</ButtonLink>
      </div>
    )
    return {
      ...{ title: own.sendTitle(fillTitle(draft.subject, request)), isOfPeople: true },
      crumbs: <ToAnnouncement request={request} announcement={draft} />,
      ...{ submit: submitOf(counted, voice, isOfDates), isDanger: true, leave },
      will: [
        <bdi key="to">{describeAudience(draft, names, voice)}</bdi>,
        ...sentencesOf(counted, voice, isOfDates),
        ...sentencesOfReach(reach, voice),
      ],
      above: <ReachedDates of={{ reach, counted: each }} voice={voice} />,
      instead: counted.recipients > 0 || counted.isMore ? undefined : toNobody,
    }
  },
  act: async (tx, request, { loaded: { draft, counted, reach } }) => {
    const how = { language: request.user.language, by: actorOf(request).who }
    const [own, ...others] = await sendToDates(tx, draft.id, reach, counted, how)
    for (const other of others) await recordOther(tx, request, 'announcement.send', other)
    return own as Announcement
  },
  entry: ({ params }) => ({
    action: 'announcement.send',
    targetType: 'announcement',
    targetId: params.announcement,
  }),
  next: ({ id }, { event }) => ({ path: paths.announcement(event.id, id) }),
})

function digest(seen: object): string {
  return createHash('sha256').update(JSON.stringify(seen)).digest('base64url')
}

function submitOf(
  { recipients, isMore }: CountedAudience,
  { texts, format }: Voice,
  isOfDates: boolean,
): string {
  const { announcements: own } = texts
  if (isMore) return own.sendSubmitMany
  const submit = isOfDates ? own.sendMails : own.sendSubmit
  return submit(format.number(recipients), recipients)
}

function sentencesOf(counted: CountedAudience, voice: Voice, isOfDates: boolean): string[] {
  const { announcements: own } = voice.texts
  return [
    tellCounted(counted, voice, isOfDates),
    ...(counted.unsubscribed > 0 ? [own.unsubscribed(counted.unsubscribed)] : []),
    own.laterOnes,
    own.cannotTakeBack,
  ]
}

const backTo = ({ event, params }: EventRequest) => paths.announcement(event.id, params.announcement ?? '')

/** The button asks nothing, because more mails go out each second. */
export const stopAnnouncement = button('event', {
  ...OF_MESSAGES,
  path: `${ANNOUNCEMENT_PATH}/stop`,
  act: async (tx, request) => stopWithOthers(tx, request, await findAnnouncement(tx, request)),
  entry: ({ params }) => ({
    action: 'announcement.stop',
    targetType: 'announcement',
    targetId: params.announcement,
  }),
  next: (_, request) => ({ path: backTo(request), flash: flash('announcementStopped', {}) }),
  back: backTo,
})

/** Sends a draft to the one who presses it. It asks nothing, as nobody else gets it. */
export const testAnnouncement = button('event', {
  ...OF_MESSAGES,
  path: `${ANNOUNCEMENT_PATH}/test`,
  act: (tx, { event, params, user }) => sendTest(tx, event.id, params.announcement ?? '', user),
  entry: ({ params }) => ({
    action: 'announcement.test',
    targetType: 'announcement',
    targetId: params.announcement,
  }),
  next: (_, request) => ({
    path: backTo(request),
    flash: flash('announcementTested', { email: request.user.email }),
  }),
  back: backTo,
})

export const resumeAnnouncement = button('event', {
  ...OF_MESSAGES,
  path: `${ANNOUNCEMENT_PATH}/resume`,
  act: (tx, request) =>
    announcements.resume(tx, request.event.id, request.params.announcement ?? '', actorOf(request).who),
  entry: ({ params }) => ({
    action: 'announcement.resume',
    targetType: 'announcement',
    targetId: params.announcement,
  }),
  next: (_, request) => ({ path: backTo(request) }),
  back: backTo,
})

/** Asks whether to delete a draft. */
export const removeAnnouncement = formPage('event', {
  ...OF_MESSAGES,
  path: `${ANNOUNCEMENT_PATH}/remove`,
  load: findDraft,
  fields: () => ({}),
  parts: (draft, request) => {
    const { removeTitle, removeSubmit, removeWill } = request.voice.texts.announcements
    return {
      ...{ title: removeTitle(fillTitle(draft.subject, request)), isOfPeople: true },
      crumbs: <ToAnnouncement request={request} announcement={draft} />,
      ...{
        submit: removeSubmit,
        isDanger: true,
        keeps: 'draft',
        leave: paths.announcement(request.event.id, draft.id),
      },
      ...{ isOnCard: true, above: <p>{removeWill}</p> },
    }
  },
  act: (tx, { event, params }) => announcements.remove(tx, event.id, params.announcement ?? ''),
  entry: ({ params }) => ({
    action: 'announcement.remove',
    targetType: 'announcement',
    targetId: params.announcement,
  }),
  next: (_, { event }) => ({
    path: paths.announcements(event.id),
    flash: flash('announcementRemoved', {}),
  }),
})
