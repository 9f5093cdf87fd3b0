import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND } from '#base/time.ts'
import { listOfEvent } from '#product/programme/abstracts/of-event.ts'
import { en } from '#texts/en/index.ts'
import { es } from '#texts/es/index.ts'
import { type Keyboard, KeyboardWalk } from '../keyboard-walk.ts'
import { type ReceivedMail, startMailServer } from '../mail-server.ts'
import { openCall } from '../submissions.ts'
import { PASSWORD } from './dashboard.ts'
import { startSale } from './sale.ts'

export type Language = 'en' | 'es'

const TITLE = 'Ñandú rooms'
/** What tells who has written the abstract: no page of a reviewer has it. */
const AUTHOR = { given: 'Lin', family: 'Meiwether', email: 'lin@writers.example' }
const REVIEWER = 'rosa@reviews.example'
const SESSION = 'Opening'

/** Starts a server with a call for abstracts that is open, and a server that takes its mails. */
export async function startCall(t: TestContext) {
  const mails = await startMailServer(t)
  const sale = await startSale(
    t,
    {},
    { contact_email: 'office@example.org', takes_abstracts: true },
    { settings: { smtpUrl: mails.url, mailFrom: 'tickets@example.org' } },
  )
  await openCall(sale)
  /** Waits for a mail, and returns the address of its link here. */
  const linkTo = async (email: string, kind: RegExp, subject = ''): Promise<string> => {
    const isIt = ({ to, parsed }: ReceivedMail) =>
      to.includes(email) && kind.test(parsed.text ?? '') && parsed.subject?.includes(subject)
    for (let looks = 0; looks < 300; looks++) {
      const link = kind.exec(mails.received.find(isIt)?.parsed.text ?? '')?.[1]
      if (link !== undefined) return `${sale.app.siteUrl}${link}`
      await wait(100)
    }
    assert.fail(`There is no mail to ${email} with ${kind} and ${subject}.`)
  }
  return { ...sale, mails, linkTo }
}

type Place = Awaited<ReturnType<typeof startCall>>

interface Walker {
  place: Place
  keyboard: Keyboard
  walk: KeyboardWalk
  language: Language
  texts: typeof en
}

/**
 * Goes the whole way of an abstract by keyboard alone: an author submits it without a mail, a chair has it reviewed, a reviewer who does
 * not learn who wrote it reviews it, the chair proposes and sends the decision, the author confirms, the chair publishes it, and a
 * visitor finds it.
 */
export async function walkThroughCall(place: Place, keyboard: Keyboard, language: Language): Promise<void> {
  await place.member('chair', { email: `chair-${language}@example.org`, language })
  const texts = { en, es }[language]
  const at: Walker = { place, keyboard, walk: new KeyboardWalk(keyboard), language, texts }
  await submit(at)
  await invite(at)
  await review(at)
  await proposeAndSend(at)
  await confirm(at)
  await publish(at)
  await find(at)
}

/** Nobody opens a mail here: whoever sends a minute before the deadline has none yet. */
async function submit({ place, walk, language, texts: { calls } }: Walker): Promise<void> {
  await walk.open(`${place.app.siteUrl}${place.path}abstracts?lang=${language}`, calls.begin)
  await walk.press(calls.begin, calls.abstractTitle)
  await walk.type(calls.yourName, `${AUTHOR.given} ${AUTHOR.family}`)
  await walk.type(calls.yourEmail, AUTHOR.email)
  await walk.type(calls.abstractTitle, TITLE)
  await walk.type(calls.text, 'They fill.')
  await walk.type(calls.given, AUTHOR.given)
  await walk.type(calls.family, AUTHOR.family)
  place.clock.advance(2 * SECOND)
  await walk.press(calls.send, calls.sendNow)
  await walk.press(calls.sendNow, calls.sentTitle)
}

// The first field of a form in the dashboard gets the focus, in Firefox a moment later: whoever tabs there meanwhile loses a key.

/** Signs in, and sets up the review with one reviewer and one review. */
async function invite({ place, walk, language, texts }: Walker): Promise<void> {
  const { reviewSettings } = texts
  // The browser speaks English, until the server knows who is there.
  const { signIn } = en
  await walk.open(`${place.app.siteUrl}${dashboard(place)}/review`, signIn.password)
  await walk.typeFirst(signIn.email, `chair-${language}@example.org`)
  await walk.type(signIn.password, PASSWORD)
  await walk.press(signIn.submit, reviewSettings.none)
  await walk.press(reviewSettings.setUp, reviewSettings.closes)
  await walk.press(reviewSettings.setUp, texts.flash.reviewSaved({}))
  await walk.press(reviewSettings.invite, reviewSettings.people)
  await walk.typeFirst(reviewSettings.people, `Rosa Ruiz, ${REVIEWER}`)
  await walk.press(reviewSettings.inviteSubmit, texts.flash.reviewersInvited({ n: 1 }))
  await walk.press(reviewSettings.assign, reviewSettings.assignSubmit(1))
  await walk.press(reviewSettings.assignSubmit(1), texts.flash.reviewsAssigned({ n: 1 }))
}

/** Goes by the link of the invitation alone, and sees nothing of who has written the abstract. */
async function review({ place, keyboard, walk, language, texts: { reviews } }: Walker): Promise<void> {
  const link = await place.linkTo(REVIEWER, /(\/review\/[\w-]+)/)
  const seesNobody = async () => {
    const page = await keyboard.evaluate<string>('document.documentElement.outerHTML')
    for (const word of [AUTHOR.given, AUTHOR.family, AUTHOR.email])
      assert.ok(!new RegExp(`\\b${word}\\b`).test(page), word)
  }
  await walk.open(`${link}?lang=${language}`, TITLE)
  await seesNobody()
  await walk.press((await onlyOne(place)).code, reviews.review)
  await seesNobody()
  await walk.tick(reviews.score(1))
  await walk.tick(reviews.recommendations.accept)
  await walk.type(reviews.toAuthors, 'Well told.')
  await walk.press(reviews.done, reviews.allDone)
}

async function proposeAndSend({ place, walk, texts }: Walker): Promise<void> {
  const { proposals, decisionSending } = texts
  await walk.open(`${place.app.siteUrl}${dashboard(place)}/decisions`, proposals.first)
  await walk.to(proposals.first, true)
  await walk.press(proposals.choices.accepted, proposals.will)
  await walk.press(proposals.manySubmit.accepted(1), texts.flash.abstractsProposed({ count: 1, left: 0 }))
  assert.equal((await onlyOne(place)).status, 'submitted')
  await walk.press(proposals.send, decisionSending.mails)
  await walk.press(decisionSending.submit(1), decisionSending.title)
}

/** Goes by the link of the mail that tells of the decision: the one that came when the abstract was sent has a link too. */
async function confirm({ place, walk, language, texts: { afterDecision, mails } }: Walker): Promise<void> {
  const subject = mails.abstract_accepted.subject.replace('{title}', TITLE)
  const link = await place.linkTo(AUTHOR.email, /(\/abstracts\/[\w-]{46})/, subject)
  assert.equal((await onlyOne(place)).status, 'accepted')
  await walk.open(`${link}?lang=${language}`, afterDecision.confirm)
  await walk.press(afterDecision.confirm, afterDecision.confirmed('').slice(0, 12).trim())
}

async function publish({ place, walk, texts }: Walker): Promise<void> {
  const { timetable, publishing, flash } = texts
  await walk.open(`${place.app.siteUrl}${dashboard(place)}/programme`, timetable.unplaced(1))
  await walk.press(timetable.newSession, timetable.sessionTitle)
  await walk.typeFirst(timetable.sessionTitle, SESSION)
  await walk.press(timetable.addSession, timetable.addAbstracts)
  await walk.press(timetable.addAbstracts, timetable.addSubmit)
  await walk.tick(timetable.every(1))
  await walk.press(timetable.addSubmit, flash.slotsAdded({ n: 1 }))
  await walk.press(timetable.title, timetable.unplacedNone)
  await walk.press(publishing.open, publishing.title)
  await walk.press(publishing.submit, flash.programmePublished({ number: 1 }))
}

/** Comes from the page of the event, as somebody whom nobody knows. */
async function find({ place, walk, language, texts: { agenda } }: Walker): Promise<void> {
  await walk.open(`${place.app.siteUrl}${place.path}?lang=${language}`, agenda.link)
  await walk.press(agenda.link, SESSION)
  await walk.type(agenda.search, `${AUTHOR.family} rooms`)
  await walk.press(agenda.find, agenda.found(1))
  await walk.press(TITLE, 'They fill.')
  await walk.arrive('O-01')
}

const dashboard = ({ eventId }: Place) => `/manage/e/${eventId}`

async function onlyOne({ db, accountId, eventId }: Place) {
  const { rows } = await db.read(accountId, tx =>
    listOfEvent(tx, { event_id: eventId }, { limit: 2, after: undefined }),
  )
  const [one] = rows
  assert.ok(one !== undefined && rows.length === 1)
  return one
}
