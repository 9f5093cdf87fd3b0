import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { flash } from '#machinery/web/flash.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { NewRound, Round } from '#product/programme/reviews/round-schemas.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'
import { roundForm, toNewRound } from './review-fields.ts'

interface Loaded {
  /** It is undefined as long as nobody reviews. */
  round: Round | undefined
  anew: NewRound
}

/** Sets up the review of abstracts, or changes it. */
export const reviewForm = formPage('event', {
  path: '/e/{event}/review/settings',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  keepsTyped: true,
  load: async (tx, { event, voice }, { clock }): Promise<Loaded> => {
    const call = await calls.find(tx, event.id)
    // Whoever sets it up while the call is open has time for reviews behind the call.
    const from = Math.max(clock(), Date.parse(call?.closes_at ?? '') || 0)
    return {
      round: await rounds.find(tx, event.id),
      anew: rounds.defaultsAt(from, event.timezone, voice.texts.reviewSettings.overall),
    }
  },
  fields: () => roundForm,
  current: ({ round }) => round && toNewRound(round),
  initial: ({ anew }) => anew,
  parts: ({ round }, { event, voice: { texts } }) => ({
    title: texts.reviewSettings.settings,
    about: texts.reviewSettings.titleAbout,
    crumbs: texts.reviewSettings.title,
    leave: paths.review(event.id),
    submit: round === undefined ? texts.reviewSettings.setUp : texts.page.save,
  }),
  act: (tx, { event }, { values }) => rounds.put(tx, event.id, { ...values, criteria: [...values.criteria] }),
  entry: ({ event }) => ({ action: 'review.change', targetType: 'event', targetId: event.id }),
  next: (_, { event }) => ({ path: paths.review(event.id), flash: flash('reviewSaved', {}) }),
})
