import { createHash } from 'node:crypto'
import { Problem } from '#base/problem.ts'
import { ERASED_EMAIL } from '#base/words.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { actorOf, type EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, Empty } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as proposals from '#product/programme/abstracts/proposals.ts'
import { presentersOf } from '#product/programme/decisions/presenters.ts'
import * as sending from '#product/programme/decisions/sending.ts'
import { isOneOf, mayDecideOwn } from '#product/programme/reviews/own.ts'
import { SendingCard } from './send-decisions-card.tsx'
import { Mails, type MailToShow, PER_PAGE, readMail } from './send-decisions-mails.tsx'
import { readSettings, type Settings, SettingsForm } from './send-decisions-settings.tsx'

/** Everything that is to be sent, and the mails of one page of it. */
interface Loaded {
  settings: Settings
  /** What is to be sent, but for what the chair may not know of. */
  due: readonly proposals.Proposal[]
  /** The abstracts that somebody else sends. */
  except: readonly string[]
  mails: readonly MailToShow[]
  /** How many mails go out. */
  mailed: number
  from: number
  hasMail: boolean
  latest: Job | undefined
  now: number
}

/** Shows every mail that decisions would set off, and sends them. */
export const sendDecisions = formPage('event', {
  path: '/e/{event}/decisions/send',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  load: async (tx, request, { mail, clock }): Promise<Loaded> => {
    const { event } = request
    const now = clock()
    const settings = readSettings(request, await registrationTypes.listDetails(tx, event.id), now)
    const { due, except } = await listDue(tx, request)
    const from = pageOf(request, due.length)
    const mails: MailToShow[] = []
    for (const proposal of due.slice(from, from + PER_PAGE))
      mails.push(await readMail(tx, proposal, settings.terms, request.user.language))
    const [latest] = await sending.listSendings(tx, event.id)
    return {
      ...{ settings, due, except, mails, from, now, latest, hasMail: mail.isSetUp },
      mailed: countMails(due, settings.terms.presenters),
    }
  },
  fields: () => ({}),
  preview: ({ due, settings: { terms, at } }) =>
    createHash('sha256')
      .update(JSON.stringify([due, terms, at]))
      .digest('base64url'),
  parts: (loaded, request) => {
    const { event, voice } = request
    const { decisionSending: texts, proposals: proposed } = voice.texts
    const { due, settings } = loaded
    const isEmpty = due.length === 0
    return {
      ...{
        title: texts.title,
        about: texts.about,
        crumbs: <a href={paths.decisions(event.id)}>{proposed.title}</a>,
      },
      ...{ leave: paths.decisions(event.id), submit: texts.submit(due.length), isDanger: true },
      action: `${paths.sendDecisions(event.id)}?${request.query}`,
      first: (
        <>
          <SendingCard job={loaded.latest} request={request} />
          {!isEmpty && <SettingsForm settings={settings} request={request} />}
        </>
      ),
      will: willOf(loaded, request),
      instead: isEmpty ? (
        <Nothing request={request} />
      ) : settings.isWrong ? (
        <p role="alert">{texts.wrong}</p>
      ) : undefined,
      rest: isEmpty ? undefined : <Mails {...loaded} all={due.length} request={request} />,
    }
  },
  act: async (tx, request, { loaded: { settings, except } }) => {
    if (settings.isWrong) throw new Problem('seen_changed')
    const { terms, at } = settings
    const input = { ...terms, language: request.user.language }
    return sending.send(tx, request.event.id, {
      ...{ input, except, by: actorOf(request).who, notBefore: at ?? undefined },
    })
  },
  entry: ({ event }) => ({
    ...{ action: 'abstract.send_decisions', targetType: 'event', targetId: event.id },
    details: (_, job) => (job === undefined ? {} : { job_id: job.id, count: job.total }),
  }),
  next: (_, { event }) => ({ path: paths.sendDecisions(event.id) }),
})

/** Lists what waits to be sent, without what the chair is behind: somebody else sends that, if anybody else can. */
async function listDue(
  tx: ReadTx,
  { event, user, member }: EventRequest,
): Promise<Pick<Loaded, 'due' | 'except'>> {
  const all = (await proposals.listOfEvent(tx, event.id)).filter(({ sending: other }) => other === undefined)
  const except = new Set<string>()
  for (const proposal of all) {
    const isOwn = isOneOf(proposal, proposal.submitter_email, user.email)
    const who = { email: user.email, role: member.role }
    const abstract = { id: proposal.abstract_id, event_id: event.id }
    if (isOwn && !(await mayDecideOwn(tx, abstract, who))) except.add(proposal.abstract_id)
  }
  return { due: all.filter(({ abstract_id: id }) => !except.has(id)), except: [...except] }
}

function countMails(due: readonly proposals.Proposal[], hasPresenters: boolean): number {
  const contacts = due.filter(({ contact }) => contact.email !== ERASED_EMAIL).length
  const presenters = hasPresenters ? due.reduce((sum, each) => sum + presentersOf(each).length, 0) : 0
  return contacts + presenters
}

function pageOf({ query }: EventRequest, all: number): number {
  const from = Number(/^\d{1,4}$/.exec(query.get('from') ?? '')?.[0] ?? 0)
  return from < all ? from - (from % PER_PAGE) : 0
}

function willOf({ due, mailed, hasMail, settings }: Loaded, { voice }: EventRequest): string[] {
  const { decisionSending: texts } = voice.texts
  const counts = (['accepted', 'rejected'] as const).map(decision => ({
    decision,
    n: due.filter(each => each.decision === decision).length,
  }))
  return [
    ...counts.filter(({ n }) => n > 0).map(({ decision, n }) => texts.will[decision](n)),
    hasMail ? texts.mailed(mailed) : texts.noMail,
    ...(settings.at === null
      ? [texts.now]
      : [texts.later(voice.format.dateTime(new Date(settings.at).toISOString())), texts.kept]),
  ]
}

function Nothing({ request: { event, voice } }: { request: EventRequest }) {
  const { decisionSending: texts } = voice.texts
  return (
    <Empty
      icon="paper"
      title={texts.none}
      action={<ButtonLink href={paths.decisions(event.id)}>{texts.toTable}</ButtonLink>}
    >
      {texts.noneAbout}
    </Empty>
  )
}

/** Stops a sending. The button asks nothing, because more mails go out each second. */
export const stopDecisions = button('event', {
  path: '/e/{event}/decisions/send/{job}/stop',
  permission: 'abstracts',
  act: (tx, { event, params }) => sending.stop(tx, event.id, params.job ?? ''),
  entry: ({ params }) => ({ action: 'abstract.stop_sending', targetType: 'job', targetId: params.job }),
  next: (_, { event }) => ({ path: paths.sendDecisions(event.id), flash: flash('sendingStopped', {}) }),
  back: ({ event }) => paths.sendDecisions(event.id),
})
