import type { ProblemCode } from '#base/problem.ts'
import { describeProblem } from '../describe-problem.ts'
import { abstracts } from './abstracts.ts'
import { checkIn } from './check-in.ts'
import { doors } from './doors.ts'
import { events } from './events.ts'
import { count } from './page.ts'
import { problems } from './problems.ts'

/** These sentences tell what has just happened. Each takes one object, which goes through a cookie. */
export const flash = {
  refused: (refusal: Refusal) => describeProblem({ problems }, refusal),
  orderApproved: ({ reference }: { reference: string }) => `Order ${reference} is approved.`,
  orderPaid: ({ reference }: { reference: string }) => `Order ${reference} is paid and confirmed.`,
  orderPaidLate: (_: Record<never, never>) =>
    'It is noted. The order stays as it was: the money is owed back.',
  amountReturned: ({ reference }: { reference: string }) =>
    `The money goes back, and order ${reference} has ended.`,
  orderCancelled: ({ reference }: { reference: string }) => `Order ${reference} is cancelled.`,
  orderDeclined: ({ reference }: { reference: string }) => `Order ${reference} is declined.`,
  offerResent: (_: Record<never, never>) => 'The offer is on its way.',
  orderResent: (_: Record<never, never>) => 'The tickets are on their way.',
  orderVerified: (_: Record<never, never>) => 'The tickets are on their way to the others.',
  linksRenewed: (_: Record<never, never>) => 'The links are renewed. Send the tickets again.',
  refundRetried: (_: Record<never, never>) => 'It is tried again.',
  refundDropped: (_: Record<never, never>) => 'The refund is dropped.',
  disputeKept: (_: Record<never, never>) => 'The tickets stay valid.',
  disputeCredited: ({ number }: { number: string }) =>
    `Credit note ${number} is made, and the chosen tickets are void.`,
  refundPaidBack: (_: Record<never, never>) => 'It is noted as paid back.',
  refundAsked: (_: Record<never, never>) => 'The money is on its way back.',
  refundByHand: (_: Record<never, never>) =>
    'Now pay the money back. It stands under “Money owed back” until you say that it is done.',
  ticketExchanged: (_: Record<never, never>) => 'The ticket is exchanged. This is the new one.',
  badgesUndone: ({ n }: { n: number }) =>
    count(n, { one: '# badge is not printed yet.', other: '# badges are not printed yet.' }),
  ticketsVoid: ({ n }: { n: number }) =>
    `${count(n, { one: '# ticket is', other: '# tickets are' })} void now.`,
  setUp: ({ name }: { name: string }) => `${name} is set up. Make your first event.`,
  joined: ({ name }: { name: string }) => `You are in: ${name}.`,
  passwordChosen: (_: Record<never, never>) => 'Your new password is saved. Sign in with it.',
  lineMatched: (_: Record<never, never>) => 'The line is matched.',
  lineIgnored: (_: Record<never, never>) => 'The line is left out.',
  lineRestored: (_: Record<never, never>) => 'The line is to decide again.',
  lineUnmatched: (_: Record<never, never>) => 'The match is undone.',
  shownOnce: (_: Record<never, never>) =>
    'That was done already. What it showed is shown only once: if you lack it, make a new one.',
  memberSaved: ({ name }: { name: string }) => `${name}: saved.`,
  memberRemoved: ({ name }: { name: string }) => `${name} is no longer in the team.`,
  invitationRevoked: ({ email }: { email: string }) => `The invitation of ${email} no longer works.`,
  accountSaved: (_: Record<never, never>) => 'The settings are saved.',
  legalUnfinished: (_: Record<never, never>) =>
    'The settings are saved. The privacy notice still has passages in brackets: visitors see them until you fill them in.',
  keyRevoked: ({ name }: { name: string }) => `The key “${name}” no longer works.`,
  profileSaved: (_: Record<never, never>) => 'Saved.',
  passwordChanged: (_: Record<never, never>) =>
    'Your new password is saved. Everywhere else you are signed out.',
  secondFactorOff: (_: Record<never, never>) => 'Two-step verification is off.',
  sessionEnded: (_: Record<never, never>) => 'That session has ended.',
  othersEnded: (_: Record<never, never>) => 'All your other sessions have ended.',
  eventCreated: ({ title }: { title: string }) => `“${title}” is there as a draft.`,
  eventMoved: ({ title, status }: { title: string; status: keyof typeof events.status }) =>
    `${title} is ${status === 'draft' ? 'a draft' : events.status[status].toLowerCase()}.`,
  guestAdded: ({ name }: { name: string }) => `${name} is registered.`,
  ticketsSent: ({ name, tickets }: { name: string; tickets: number }) =>
    tickets === 1 ? `The ticket of ${name} is on its way.` : `The tickets of ${name} are on their way.`,
  guestSaved: ({ name }: { name: string }) => `The registration of ${name} is saved.`,
  guestCancelled: ({ name }: { name: string }) => `The registration of ${name} is cancelled.`,
  personErased: (_: Record<never, never>) => 'The person is anonymous now, in everything that there is.',
  checkedIn: ({ name }: { name: string }) => `${name} is checked in.`,
  handedOut: (_: Record<never, never>) => 'It is handed out.',
  checkInUndone: ({ name }: { name: string }) => `The check-in of ${name} is undone.`,
  jobStopped: (_: Record<never, never>) => 'It is stopped.',
  nobodyTold: (_: Record<never, never>) => 'Nobody is told of that change.',
  eventSaved: ({ title }: { title: string }) => `“${title}” is saved.`,
  pictureSaved: (_: Record<never, never>) => 'The picture is on the page.',
  pictureRemoved: (_: Record<never, never>) => 'The picture is removed.',
  logoSaved: (_: Record<never, never>) => 'The logo is in its place.',
  logoRemoved: (_: Record<never, never>) => 'The logo is removed.',
  eventArchived: ({ title }: { title: string }) => `“${title}” is archived. Its page stays as it is.`,
  eventListed: ({ title }: { title: string }) => `“${title}” is in the list again.`,
  eventDeleting: ({ title }: { title: string }) =>
    `“${title}” is being deleted: nobody sees it any more, and what it had goes in the next minutes.`,
  eventDeleted: ({ title }: { title: string }) => `“${title}” is deleted.`,
  eventRepeated: ({ name, dates }: { name: string; dates: number }) =>
    `“${name}” has ${count(dates, { one: '# new draft', other: '# new drafts' })}. Look at them, then publish them.`,
  seriesPublished: ({ dates }: { dates: number }) =>
    count(dates, { one: '# date is published.', other: '# dates are published.' }),
  seriesSaved: ({ name }: { name: string }) => `“${name}” is saved.`,
  eventDuplicated: ({ title }: { title: string }) => `“${title}” is there as a draft. Look at its dates.`,
  ticketAdded: ({ name }: { name: string }) => `“${name}” is added.`,
  savedWithLater: ({ name, dates }: { name: string; dates: number }) =>
    count(dates, {
      one: `“${name}” is saved, on # later date too.`,
      other: `“${name}” is saved, on # later dates too.`,
    }),
  addedWithLater: ({ name, dates }: { name: string; dates: number }) =>
    count(dates, {
      one: `“${name}” is added, to # later date too.`,
      other: `“${name}” is added, to # later dates too.`,
    }),
  ticketSaved: ({ name }: { name: string }) => `“${name}” is saved.`,
  ticketRemoved: ({ name }: { name: string }) => `“${name}” is removed.`,
  questionSaved: ({ name }: { name: string }) => `“${name}” is saved.`,
  questionRetired: ({ name }: { name: string }) => `“${name}” is not asked any more. Its answers stay.`,
  questionAsked: ({ name }: { name: string }) => `“${name}” is asked again.`,
  codesMade: ({ count: n }: { count: number }) =>
    `${count(n, { one: '# code is', other: '# codes are' })} made.`,
  codeOff: ({ name }: { name: string }) => `“${name}” no longer works.`,
  codeOn: ({ name }: { name: string }) => `“${name}” works again.`,
  typeMoved: ({ name, direction }: { name: string; direction: 'up' | 'down' }) =>
    direction === 'up' ? `“${name}” is further up now.` : `“${name}” is further down now.`,
  admitted: ({ name }: AtDoor) => `${checkIn.admitted}: ${name}`,
  turnedAway: ({ name, ...refusal }: TurnedAway) =>
    [
      refusal.code === 'already_checked_in' ? checkIn.alreadyUsed : checkIn.notAdmitted,
      name || describeProblem({ problems }, refusal),
    ].join(': '),
  notInside: ({ name }: { name: string }) => checkIn.notInside(name),
  doorChanged: ({ name }: { name: string }) =>
    `The door “${name}” is changed. Its phone learns it when it next reaches the server.`,
  doorRevoked: ({ name }: { name: string }) => `The door “${name}” is revoked.`,
  scanUndone: ({ name }: { name: string }) => `The scan of ${name} is undone.`,
  scanDismissed: ({ name }: { name: string }) => `The scan of ${name} is dismissed.`,
  scanCounts: ({ name, outcome }: { name: string; outcome: keyof typeof doors.outcomes }) =>
    `The scan of ${name} counts now: ${doors.outcomes[outcome].toLowerCase()}.`,
  scanSeen: ({ name }: { name: string }) => `The scan of ${name} is set aside.`,
  offWaitlist: ({ name }: { name: string }) => `${name} is off the waitlist.`,
  roomSaved: ({ name }: { name: string }) => `The room “${name}” is saved.`,
  roomMoved: ({ name }: { name: string }) => `The room “${name}” is moved.`,
  roomRemoved: ({ name }: { name: string }) => `The room “${name}” is removed.`,
  sessionSaved: ({ name }: { name: string }) => `The session “${name}” is saved.`,
  sessionRemoved: ({ name }: { name: string }) => `The session “${name}” is removed.`,
  programmePublished: ({ number }: { number: number }) => `Version ${number} of the programme is public.`,
  programmeUnpublished: (_: Record<never, never>) => 'The programme is no longer public.',
  programmeTextsSaved: (_: Record<never, never>) => 'That is saved.',
  namesakesJudged: (_: Record<never, never>) => 'That is saved.',
  slotsAdded: ({ n }: { n: number }) =>
    n === 0
      ? 'That stands in the session already.'
      : `${count(n, { one: '# entry is', other: '# entries are' })} added.`,
  slotSaved: ({ name }: { name: string }) => `“${name}” is saved.`,
  slotMoved: ({ name }: { name: string }) => `“${name}” is moved.`,
  slotRemoved: ({ name }: { name: string }) => `“${name}” is taken out of the session.`,
  reviewSaved: (_: Record<never, never>) => 'The review is saved.',
  reviewersInvited: ({ n }: { n: number }) =>
    n === 0
      ? 'All of them were invited already.'
      : `${count(n, { one: '# person is', other: '# people are' })} invited.`,
  reviewsAssigned: ({ n }: { n: number }) =>
    `${count(n, { one: '# review is', other: '# reviews are' })} assigned.`,
  reviewersReminded: ({ n }: { n: number }) =>
    n === 0
      ? 'Nobody is reminded: all are done, or were reminded within a day.'
      : `${count(n, { one: '# reviewer is', other: '# reviewers are' })} reminded.`,
  reviewerRenewed: (_: Record<never, never>) => 'The new link is on its way.',
  reviewerRemoved: ({ name }: { name: string }) => `${name} is taken out.`,
  abstractGiven: (_: Record<never, never>) => 'The abstract is assigned.',
  abstractTaken: (_: Record<never, never>) => 'The abstract is taken away.',
  moreTimeGiven: ({ name }: { name: string }) => `${name} is told of the new time.`,
  moreTimeTaken: ({ name }: { name: string }) => `For ${name} the deadline of all holds again.`,
  linkRenewed: ({ name }: { name: string }) => `A new link is on its way to ${name}.`,
  emailCorrected: ({ name }: { name: string }) =>
    `The e-mail of ${name} is corrected, and both addresses are told.`,
  abstractConfirmed: ({ title }: { title: string }) => `${title} is confirmed.`,
  abstractUnconfirmed: ({ title }: { title: string }) => `The confirmation of ${title} is taken back.`,
  unconfirmedReminded: ({ n }: { n: number }) =>
    n === 0
      ? 'Nobody is reminded: all have confirmed.'
      : `Those of ${count(n, { one: '# abstract', other: '# abstracts' })} are reminded, unless they were within a day.`,
  abstractReopened: ({ title }: { title: string }) => `${title} stands again, and its author is told.`,
  abstractEdited: ({ title }: { title: string }) => `${title} is changed, and its author is told.`,
  callSaved: (_: Record<never, never>) => 'The call for abstracts is saved.',
  abstractAdded: ({ title, code }: { title: string; code: string }) =>
    `${title} is added. Its code is ${code}.`,
  abstractDecided: ({ title, decision }: { title: string; decision: Decided }) =>
    `${title} is ${abstracts.status[decision].toLowerCase()}.`,
  sendingStopped: (_: Record<never, never>) => 'Stopped. What was not sent yet is proposed as before.',
  abstractsDecided: ({ decision, count: n }: { decision: Decided; count: number }) =>
    `${count(n, { one: '# abstract is', other: '# abstracts are' })} ${abstracts.status[decision].toLowerCase()}.`,
  abstractsProposed: ({ count: n, left }: { count: number; left: number }) =>
    [
      count(n, {
        one: '# proposal is kept. Nobody is told yet.',
        other: '# proposals are kept. Nobody is told yet.',
      }),
      ...(left === 0 ? [] : [count(left, { one: '# was left out.', other: '# were left out.' })]),
    ].join(' '),
  proposalsTaken: ({ count: n, left }: { count: number; left: number }) =>
    [
      count(n, { one: '# proposal is taken back.', other: '# proposals are taken back.' }),
      ...(left === 0 ? [] : [count(left, { one: '# was left out.', other: '# were left out.' })]),
    ].join(' '),
  mailRetried: (_: Record<never, never>) => 'It is sent again. What becomes of it comes here.',
  textSaved: (_: Record<never, never>) => 'The text is saved. Mails say it from now on.',
  textOurs: (_: Record<never, never>) => 'Mails have the standard text again.',
  announcementSaved: (_: Record<never, never>) => 'The draft is saved. Nothing is sent yet.',
  announcementTested: ({ email }: { email: string }) => `A test goes to ${email}.`,
  announcementRemoved: (_: Record<never, never>) => 'The draft is deleted.',
  announcementStopped: (_: Record<never, never>) => 'It is stopped. Nothing more of it is sent.',
  stripeConnected: ({ account }: { account: string }) => `Stripe is connected: ${account}.`,
  delayedOffered: (_: Record<never, never>) => 'Methods that take days are offered from now on.',
  delayedEnded: (_: Record<never, never>) => 'Methods that take days are no longer offered.',
  stripeDisconnected: (_: Record<never, never>) => 'Stripe is disconnected.',
  eventsSeen: (_: Record<never, never>) => 'Noted.',
  bankSaved: (_: Record<never, never>) => 'The bank account is saved.',
  bankRemoved: (_: Record<never, never>) => 'The bank account is removed.',
  orphanRefunding: (_: Record<never, never>) => 'The money goes back within a minute.',
  orphanLeft: (_: Record<never, never>) => 'It is seen to.',
  webhookAdded: ({ host }: { host: string }) => `The webhook to ${host} is added. A ping is on its way.`,
  webhookSaved: ({ host }: { host: string }) => `The webhook to ${host} is saved.`,
  webhookEnabled: ({ host }: { host: string }) => `The webhook to ${host} is enabled.`,
  webhookDisabled: ({ host }: { host: string }) => `The webhook to ${host} is disabled.`,
  webhookPinged: (_: Record<never, never>) => 'The ping is on its way. Its answer comes here.',
  webhookRotated: ({ until }: { until: string }) =>
    `There is a new secret. The one before also signs until ${until}.`,
  webhookRemoved: ({ host }: { host: string }) => `The webhook to ${host} is removed.`,
  webhookRemoving: ({ host }: { host: string }) =>
    `The webhook to ${host} gets nothing more. Much was sent to it: it takes a moment until all of it is gone.`,
  deliveryRetried: (_: Record<never, never>) => 'Another attempt is on its way. Its answer comes here.',
  systemBackup: (_: Record<never, never>) => 'The backup has begun.',
  systemBusy: (_: Record<never, never>) => 'That is under way already.',
  resetMailed: (_: Record<never, never>) =>
    'If somebody signs in with that e-mail, the link is on its way. Look among the spam too.',
  mailTested: (_: Record<never, never>) => 'A test mail is on its way.',
  mailLetGo: (_: Record<never, never>) => 'Mail goes out again.',
  systemCheck: (_: Record<never, never>) => 'The check has begun.',
  systemHealth: (_: Record<never, never>) => 'The health check has begun.',
}

/** Somebody with a ticket. A text is empty if nobody knows it. */
export interface AtDoor {
  name: string
  buyer: string
  type: string
  seat: string
}

export type TurnedAway = AtDoor &
  Refusal & {
    /** The id of a ticket that the guest must pay at the door. */
    due?: string
  }

type Decided = keyof typeof abstracts.decide

/** A Problem, in the form that a cookie carries. */
export interface Refusal {
  code: ProblemCode
  details: Record<string, unknown>
  message: string
}
