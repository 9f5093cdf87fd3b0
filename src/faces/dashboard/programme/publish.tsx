import { createHash } from 'node:crypto'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { actorOf, type EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { Banner, ButtonLink, Empty } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { countFiles } from '#product/programme/book/files.ts'
import { listPairs } from '#product/programme/book/namesakes.ts'
import { countTold, isNothing } from '#product/programme/publishing/changes.ts'
import { type Publishing, publish, readPublishing, unpublish } from '#product/programme/publishing/publish.ts'
import type { Warning } from '#product/programme/timetable/warnings.ts'
import * as versions from '#product/programme/versions/rules.ts'
import { Changed, readChanged, type Titles } from './publish-changes.tsx'
import { Kept } from './publish-parts.tsx'
import { readProgramme } from './timetable/read-programme.ts'
import { tellWarnings } from './timetable/warnings.tsx'

/** What stands beside the changes, and neither decides nor shows what is published. */
interface Looked {
  warnings: readonly Warning[]
  files: number
  /** So many pairs of authors may be one person, and nobody has said so. */
  namesakes: number
}

interface Loaded extends Publishing, Looked {
  titles: Titles
  /** The address for visitors, where the account has one. */
  address: string | undefined
  hasMail: boolean
}

/** Says what publishing would change, and publishes. */
export const publishProgramme = formPage('event', {
  path: '/e/{event}/programme/publish',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  // Each part has a read of its own, so that others get their turn between them.
  look: async (services, request): Promise<Looked> => {
    const { db } = services
    const { account, event } = request
    const pairs = await db.read(account.id, tx => listPairs(tx, event.id))
    return {
      warnings: (await readProgramme(services, request)).warnings,
      files: await db.read(account.id, tx => countFiles(tx, event.id)),
      namesakes: pairs.filter(({ isJudged }) => !isJudged).length,
    }
  },
  load: async (tx, request, { mail }, looked): Promise<Loaded> => {
    const { event } = request
    const { slug } = await accounts.getDetails(tx)
    const publishing = await readPublishing(tx, event.id)
    return {
      ...{ ...publishing, ...looked },
      titles: await readChanged(tx, publishing),
      address: slug === null ? undefined : `/${slug}/${event.slug}/programme`,
      hasMail: mail.isSetUp,
    }
  },
  fields: () => ({}),
  preview: ({ content, newest, state }) =>
    createHash('sha256')
      .update(JSON.stringify([content, newest?.number, state.published]))
      .digest('base64url'),
  parts: (loaded, request) => {
    const { event, voice } = request
    const { publishing: texts, timetable } = voice.texts
    const isPublic = loaded.state.published !== null
    const isUpToDate = isPublic && isNothing(loaded.changes)
    const isEmpty = loaded.content.sessions.length === 0
    return {
      ...{ title: texts.title, about: texts.about },
      crumbs: <a href={paths.programme(event.id)}>{timetable.title}</a>,
      ...{ leave: paths.programme(event.id), submit: texts.submit },
      will: willOf(loaded, request),
      first: <Warned {...loaded} request={request} />,
      instead: isEmpty ? (
        <Empty
          icon="calendar"
          title={texts.none}
          action={<ButtonLink href={paths.programme(event.id)}>{timetable.title}</ButtonLink>}
        >
          {texts.noneAbout}
        </Empty>
      ) : isUpToDate ? (
        <p class="card">{texts.upToDate}</p>
      ) : undefined,
      rest: isEmpty ? undefined : (
        <>
          <Changed {...loaded} request={request} />
          <Kept {...loaded} request={request} />
        </>
      ),
    }
  },
  act: (tx, request) => {
    const { event, user } = request
    return publish(tx, event.id, { by: actorOf(request).who, language: user.language })
  },
  entry: ({ event }) => ({
    ...{ action: 'programme.publish', targetType: 'event', targetId: event.id },
    details: (_, done) => (done === undefined ? {} : { version: done.version.number, told: done.told }),
  }),
  next: ({ version }, { event }) => ({
    path: paths.programme(event.id, 'publish'),
    flash: flash('programmePublished', { number: version.number }),
  }),
})

function Warned({ warnings, request }: Loaded & { request: EventRequest }) {
  const { event, voice } = request
  if (warnings.length === 0) return null
  return (
    <Banner tone="warn">
      <p>
        {tellWarnings(warnings, voice)}.{' '}
        <a href={paths.programme(event.id, 'warnings')}>{voice.texts.publishing.warnings}</a>
      </p>
    </Banner>
  )
}

function willOf({ changes, untold, hasUnsent, hasMail }: Loaded, { voice, event }: EventRequest): string[] {
  const { will } = voice.texts.publishing
  const counted = (['added', 'moved', 'removed'] as const)
    .filter(kind => changes[kind].length > 0)
    .map(kind => will[kind](changes[kind].length))
  const placed = untold.added.length + untold.moved.length
  const gone = untold.removed.length
  const isTold = countTold(untold) > 0 || hasUnsent
  return [
    ...counted,
    ...(changes.hasOthers ? [will.others] : []),
    ...(isTold ? [] : [will.mailedNobody]),
    ...(placed > 0 ? [will.mailed(placed)] : []),
    ...(gone > 0 ? [will.mailedGone(gone)] : []),
    ...(hasUnsent ? [will.mailedAgain] : []),
    ...(isTold && !hasMail ? [will.noMail] : []),
    ...(event.status === 'draft' ? [will.draft] : []),
  ]
}

/** Takes the programme from visitors. */
export const unpublishProgramme = formPage('event', {
  path: '/e/{event}/programme/unpublish',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  load: (tx: ReadTx, { event }) => versions.getState(tx, event.id),
  fields: () => ({}),
  parts: (_, { event, voice }) => {
    const { publishing: texts } = voice.texts
    const leave = paths.programme(event.id, 'publish')
    return {
      ...{ title: texts.unpublishTitle, will: [texts.unpublishWill], isDanger: true, leave },
      ...{ crumbs: texts.title, submit: texts.unpublishSubmit, leaveText: texts.unpublishLeave },
    }
  },
  act: (tx, { event }) => unpublish(tx, event.id),
  entry: ({ event }) => ({ action: 'programme.unpublish', targetType: 'event', targetId: event.id }),
  next: (_, { event }) => ({
    path: paths.programme(event.id, 'publish'),
    flash: flash('programmeUnpublished', {}),
  }),
})
