import { createHash } from 'node:crypto'
import { type CountedAudience, countAudience } from '../../announcements/audience.ts'
import * as announcements from '../../announcements/rules.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import { ButtonLink, Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { Form } from '../../web/forms/form-view.tsx'
import type { Voice } from '../../web/voice.ts'
import {
  ANNOUNCEMENT_PATH,
  findAnnouncement,
  findDraft,
  ToAnnouncement,
  tellAudience,
} from '../announcement-parts.tsx'
import { actorOf, type OfEvent, type Services } from '../asked.ts'
import { button } from '../button.ts'
import { formPage } from '../form-page.ts'
import { OF_MESSAGES } from '../message-parts.tsx'
import { paths } from '../paths.ts'

/** Asks whether to send an announcement, with how many get it. */
export const sendAnnouncement = formPage('event', {
  ...OF_MESSAGES,
  path: `${ANNOUNCEMENT_PATH}/send`,
  look: async ({ db }: Services, asked: OfEvent): Promise<CountedAudience> => {
    const { audience } = await db.read(tx => findDraft(tx, asked))
    return countAudience(db, asked.account.id, asked.event.id, audience)
  },
  load: async (tx, asked, _services, counted: CountedAudience) => ({
    draft: await findDraft(tx, asked),
    names: await registrationTypes.listDetails(tx, asked.account.id, asked.event.id),
    counted,
  }),
  fields: () => ({}),
  // Also what it says, and to whom: somebody else may have changed that.
  seen: ({ draft: { subject, body, audience }, counted }) => digest({ subject, body, audience, counted }),
  view: ({ draft, names, counted }, asked, state) => {
    const { event, voice } = asked
    const { texts } = voice
    const { announcements: own } = texts
    const title = own.sendTitle(draft.subject)
    const back = paths.announcement(event.id, draft.id)
    const isToSomebody = counted.recipients > 0 || counted.isMore
    return {
      title,
      body: (
        <>
          <Head title={<bdi>{title}</bdi>} crumbs={<ToAnnouncement asked={asked} announcement={draft} />} />
          <div class="card stack">
            {isToSomebody ? (
              <Form
                state={state}
                texts={texts}
                action={paths.announcement(event.id, draft.id, 'send')}
                submit={submitOf(counted, voice)}
                leave={back}
                isDanger
              >
                <ul class="will">
                  <li>
                    <bdi>{tellAudience(draft.audience, names, voice)}</bdi>
                  </li>
                  {sentencesOf(counted, voice).map(sentence => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
              </Form>
            ) : (
              <>
                <p>{counted.unsubscribed > 0 ? own.nobodyUnsubscribed : own.nobody}</p>
                <ButtonLink href={back}>{texts.page.back}</ButtonLink>
              </>
            )}
          </div>
        </>
      ),
    }
  },
  act: (tx, asked, { loaded: { draft, counted } }) =>
    announcements.send(tx, asked.account.id, asked.event.id, draft.id, {
      total: counted.isMore ? null : counted.recipients,
      language: asked.user.language,
      by: actorOf(asked).who,
    }),
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

function submitOf({ recipients, isMore }: CountedAudience, { texts, format }: Voice): string {
  const { announcements: own } = texts
  return isMore ? own.sendSubmitMany : own.sendSubmit(format.number(recipients), recipients)
}

function sentencesOf(
  { recipients, unsubscribed, isMore }: CountedAudience,
  { texts: { announcements: own }, format }: Voice,
): string[] {
  const count = format.number(recipients)
  return [
    isMore ? own.atLeast(count) : own.recipients(count, recipients),
    ...(unsubscribed > 0 ? [own.unsubscribed(unsubscribed)] : []),
    own.laterOnes,
    own.cannotTakeBack,
  ]
}

const backTo = ({ event, params }: OfEvent) => paths.announcement(event.id, params.announcement ?? '')

/** At once: each second some more goes out. */
export const stopAnnouncement = button('event', {
  ...OF_MESSAGES,
  path: `${ANNOUNCEMENT_PATH}/stop`,
  act: async (tx, asked) =>
    announcements.stop(tx, asked.account.id, asked.event.id, (await findAnnouncement(tx, asked)).id),
  entry: ({ params }) => ({
    action: 'announcement.stop',
    targetType: 'announcement',
    targetId: params.announcement,
  }),
  next: (_, asked) => ({ path: backTo(asked), flash: flash('announcementStopped', {}) }),
  back: backTo,
})

export const resumeAnnouncement = button('event', {
  ...OF_MESSAGES,
  path: `${ANNOUNCEMENT_PATH}/resume`,
  act: (tx, asked) =>
    announcements.resume(
      tx,
      asked.account.id,
      asked.event.id,
      asked.params.announcement ?? '',
      actorOf(asked).who,
    ),
  entry: ({ params }) => ({
    action: 'announcement.resume',
    targetType: 'announcement',
    targetId: params.announcement,
  }),
  next: (_, asked) => ({ path: backTo(asked) }),
  back: backTo,
})

/** Asks whether to delete a draft. */
export const removeAnnouncement = formPage('event', {
  ...OF_MESSAGES,
  path: `${ANNOUNCEMENT_PATH}/remove`,
  load: findDraft,
  fields: () => ({}),
  view: (draft, asked, state) => {
    const { event, voice } = asked
    const { texts } = voice
    const title = texts.announcements.removeTitle(draft.subject)
    return {
      title,
      body: (
        <>
          <Head title={<bdi>{title}</bdi>} crumbs={<ToAnnouncement asked={asked} announcement={draft} />} />
          <div class="card">
            <Form
              state={state}
              texts={texts}
              action={paths.announcement(event.id, draft.id, 'remove')}
              submit={texts.announcements.removeSubmit}
              leave={paths.announcement(event.id, draft.id)}
              isDanger
            >
              <p>{texts.announcements.removeWill}</p>
            </Form>
          </div>
        </>
      ),
    }
  },
  act: (tx, { account, event, params }) =>
    announcements.remove(tx, account.id, event.id, params.announcement ?? ''),
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
