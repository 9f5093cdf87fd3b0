import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { flash } from '#machinery/web/flash.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'
import { inviteForm } from './review-fields.ts'

/** Asks people to review, by mail. */
export const inviteReviewers = formPage('event', {
  path: '/e/{event}/review/invite',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  load: async (tx, { event }) => rounds.get(tx, event.id),
  fields: () => inviteForm,
  initial: (_, { user }) => ({ language: user.language }),
  parts: (_, { event, voice: { texts } }) => ({
    title: texts.reviewSettings.inviteTitle,
    about: texts.reviewSettings.inviteAbout,
    crumbs: texts.reviewSettings.title,
    leave: paths.review(event.id),
    submit: texts.reviewSettings.inviteSubmit,
  }),
  act: async (tx, { event }, { values: { people, language } }) => {
    let count = 0
    for (const person of people)
      if ((await reviewers.invite(tx, event.id, { ...person, language })).isNew) count++
    return count
  },
  entry: ({ event }) => ({
    ...{ action: 'reviewer.invite', targetType: 'event', targetId: event.id },
    hasChanged: count => count > 0,
    details: (_, count) => ({ count }),
  }),
  next: (n, { event }) => ({ path: paths.review(event.id), flash: flash('reviewersInvited', { n }) }),
})
