import { contentOf } from '../../announcements/mail.ts'
import * as announcements from '../../announcements/rules.ts'
import type { Announcement } from '../../announcements/schemas.ts'
import type { ReadTx } from '../../db/port.ts'
import type { Content } from '../../emails/kind.ts'
import * as emails from '../../emails/rules.ts'
import { type Email, emailStatuses } from '../../emails/schemas.ts'
import type { Job } from '../../jobs/schemas.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import type { TypeDetails } from '../../registration-types/schemas.ts'
import {
  ButtonLink,
  Empty,
  Facts,
  Head,
  Live,
  PostButton,
  Progress,
  Time,
} from '../../web/components/parts.tsx'
import { type List, Pages, Table } from '../../web/lists/list.tsx'
import {
  ANNOUNCEMENT_PATH,
  AnnouncementState,
  findAnnouncement,
  tellAudience,
} from '../announcement-parts.tsx'
import type { OfEvent, Services } from '../asked.ts'
import { readCursor, toNext } from '../list-page.ts'
import {
  findHeld,
  HeldBanner,
  LetterCard,
  type MailsHeld,
  MessageSections,
  OF_MESSAGES,
} from '../message-parts.tsx'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'

const PER_PAGE = 50
/** Mails of an announcement that a page counts. */
const MOST_COUNTED = 20_000
/** How often one that is being sent is looked at again, in seconds. */
const EVERY = 2

interface Row extends Announcement {
  href: string
  names: readonly TypeDetails[]
}

const list: List<Row> = {
  caption: texts => texts.announcements.caption,
  columns: [
    {
      label: texts => texts.announcements.subject,
      place: 'name',
      cell: ({ href, subject }) => (
        <a href={href}>
          <bdi>{subject}</bdi>
        </a>
      ),
    },
    {
      label: texts => texts.announcements.to,
      place: 'line',
      cell: ({ audience, names }, voice) => <bdi>{tellAudience(audience, names, voice)}</bdi>,
    },
    {
      label: texts => texts.announcements.state,
      place: 'amount',
      cell: ({ status }, { texts }) => <AnnouncementState status={status} texts={texts} />,
    },
    {
      label: texts => texts.announcements.when,
      place: 'when',
      isNumber: true,
      cell: ({ sent_at, created_at }, { format }) => <Time at={sent_at ?? created_at} format={format} />,
    },
  ],
}

/** What was written to many. */
export const announcementsPage = showPage('event', {
  ...OF_MESSAGES,
  path: '/e/{event}/messages/announcements',
  load: async (tx, asked, { cursors }) => {
    const { account, event } = asked
    const scope = `announcements ${account.id} ${event.id}`
    const page = { limit: PER_PAGE + 1, after: readCursor(cursors, scope, asked) }
    const found = [...(await announcements.list(tx, account.id, event.id, page))]
    const names = await registrationTypes.listDetails(tx, account.id, event.id)
    const rows = found.slice(0, PER_PAGE).map(({ resource }): Row => {
      return { ...resource, names, href: paths.announcement(event.id, resource.id) }
    })
    return { rows, next: toNext(cursors, scope, found, PER_PAGE) }
  },
  view: ({ rows, next }, asked) => {
    const { event, voice } = asked
    const { texts } = voice
    const path = paths.announcements(event.id)
    const after = asked.query.get('after') ?? undefined
    const write = (
      <ButtonLink href={paths.newAnnouncement(event.id)} main>
        {texts.announcements.write}
      </ButtonLink>
    )
    const isEmpty = rows.length === 0 && after === undefined
    return {
      title: texts.announcements.title,
      body: (
        <>
          <Head
            title={texts.announcements.title}
            about={texts.announcements.about}
            actions={isEmpty ? undefined : write}
          />
          <MessageSections asked={asked} at="announcements" />
          {isEmpty ? (
            <Empty icon="mail" title={texts.announcements.none} action={write}>
              {texts.announcements.noneAbout}
            </Empty>
          ) : (
            <Table list={list} rows={rows} voice={voice} />
          )}
          <Pages path={path} query={{ after }} shown={rows.length} next={next} texts={texts} />
        </>
      ),
    }
  },
})

interface Loaded {
  announcement: Announcement
  names: readonly TypeDetails[]
  /** As it would be sent to whoever looks at it. */
  content: Content
  job: Job | undefined
  counts: Readonly<Record<Email['status'], number>>
  held: MailsHeld
}

async function load(tx: ReadTx, asked: OfEvent, services: Services): Promise<Loaded> {
  const { account, event, user } = asked
  const announcement = await findAnnouncement(tx, asked)
  const counts = { waiting: 0, sent: 0, failed: 0, withdrawn: 0 }
  if (announcement.status !== 'draft') {
    for (const status of emailStatuses) {
      const of = { subjectId: announcement.id, status }
      counts[status] = await emails.countOfSubject(tx, account.id, of, MOST_COUNTED)
    }
  }
  return {
    announcement,
    names: await registrationTypes.listDetails(tx, account.id, event.id),
    content: await contentOf(tx, account.id, event.id, announcement, user.name),
    job: await announcements.findJob(tx, account.id, announcement),
    counts,
    held: await findHeld(tx, services),
  }
}

export const announcementPage = showPage('event', {
  ...OF_MESSAGES,
  path: ANNOUNCEMENT_PATH,
  load,
  view: (loaded, asked) => {
    const { announcement, content, held } = loaded
    const { event, user, voice } = asked
    const { texts } = voice
    const { id, subject, status } = announcement
    const isDraft = status === 'draft'
    const isMoving = isUnderWay(loaded)
    return {
      title: subject,
      refresh: isMoving ? EVERY : undefined,
      body: (
        <div class="stack">
          <Head
            title={<bdi>{subject}</bdi>}
            crumbs={<a href={paths.announcements(event.id)}>{texts.announcements.title}</a>}
            pill={<AnnouncementState status={status} texts={texts} />}
            actions={
              isDraft && (
                <>
                  <ButtonLink href={paths.announcement(event.id, id, 'send')} main>
                    {texts.announcements.send}
                  </ButtonLink>
                  <ButtonLink href={paths.announcement(event.id, id, 'edit')}>
                    {texts.announcements.edit}
                  </ButtonLink>
                  <ButtonLink href={paths.announcement(event.id, id, 'remove')}>
                    {texts.announcements.remove}
                  </ButtonLink>
                </>
              )
            }
          />
          <HeldBanner held={held} voice={voice} />
          <Live id="sending" every={isMoving ? EVERY : undefined}>
            <State loaded={loaded} asked={asked} />
          </Live>
          <LetterCard
            content={content}
            text={announcement}
            about={texts.announcements.previewOf(user.name)}
            texts={texts}
          />
        </div>
      ),
    }
  },
})

const isWriting = ({ job }: Loaded) => job?.state === 'waiting' || job?.state === 'running'

/** Whether its mails are still being written, or go out. */
function isUnderWay(loaded: Loaded): boolean {
  return isWriting(loaded) || loaded.counts.waiting > 0
}

function State({ loaded, asked }: { loaded: Loaded; asked: OfEvent }) {
  const { announcement, names, job, counts } = loaded
  const { event, voice } = asked
  const { texts, format } = voice
  const { id, audience, status, sent_at } = announcement
  const to = [texts.announcements.to, <bdi key="to">{tellAudience(audience, names, voice)}</bdi>] as const
  if (status === 'draft') {
    return (
      <section class="card" aria-labelledby="progress">
        <h2 id="progress">{texts.announcements.group}</h2>
        <Facts facts={[to]} />
      </section>
    )
  }
  const written = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const tell = (count: number) =>
    written === MOST_COUNTED ? texts.announcements.moreThan(format.number(count)) : format.number(count)
  const hasFailed = status === 'sent' && job?.state === 'failed'
  const total = job?.total ?? null
  return (
    <section class="card stack" aria-labelledby="progress">
      <h2 id="progress">{texts.announcements.progress}</h2>
      <p>{sentenceOf(loaded, hasFailed, texts.announcements)}</p>
      {isWriting(loaded) && status === 'sent' && (
        <Progress label={texts.announcements.written} done={written} total={total} />
      )}
      <Facts
        facts={[
          to,
          ...(sent_at === null
            ? []
            : [[texts.announcements.sentBy, <Time key="sent" at={sent_at} format={format} />] as const]),
          [
            texts.announcements.written,
            total === null
              ? tell(written)
              : texts.announcements.writtenOf(tell(written), format.number(total)),
          ],
          ...emailStatuses
            .filter(each => each !== 'withdrawn' || counts[each] > 0)
            .map(each => [texts.messages.status[each], tell(counts[each])] as const),
        ]}
      />
      {hasFailed && (
        <PostButton action={paths.announcement(event.id, id, 'resume')} tone="main">
          {texts.announcements.goOn}
        </PostButton>
      )}
      {status === 'sent' && isUnderWay(loaded) && (
        <div>
          <PostButton action={paths.announcement(event.id, id, 'stop')}>
            {texts.announcements.stop}
          </PostButton>
          <p class="help">{texts.announcements.stopAbout}</p>
        </div>
      )}
    </section>
  )
}

function sentenceOf(
  loaded: Loaded,
  hasFailed: boolean,
  texts: OfEvent['voice']['texts']['announcements'],
): string {
  if (loaded.announcement.status === 'stopped') return texts.isStopped
  if (hasFailed) return texts.hasFailed
  if (isWriting(loaded)) return texts.writing
  return loaded.counts.waiting > 0 ? texts.goingOut : texts.allOut
}
