import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Content } from '#machinery/mail/kind.ts'
import * as emails from '#machinery/mail/rules.ts'
import { type Email, emailStatuses } from '#machinery/mail/schemas.ts'
import {
  ButtonLink,
  Facts,
  Head,
  Live,
  PostButton,
  Progress,
  Time,
} from '#machinery/web/components/parts.tsx'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { contentOf, exampleLink } from '#product/mailing/announcements/mail.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import type { Announcement } from '#product/mailing/announcements/schemas.ts'
import {
  type Counted,
  countDraft,
  listOthers,
  type Other,
  ReachedDates,
  SentWith,
  sentencesOfReach,
} from './announcement-dates.tsx'
import {
  ANNOUNCEMENT_PATH,
  AnnouncementState,
  describeAudience,
  fillTitle,
  findAnnouncement,
  tellCounted,
} from './announcement-parts.tsx'
import { findMailStop, LetterCard, type MailStop, MailStopBanner, OF_MESSAGES } from './message-parts.tsx'

/** The page counts this many mails of an announcement. */
const MOST_COUNTED = 20_000
/** The page looks again this often at an announcement that is being sent, in seconds. */
const EVERY = 2

interface Loaded {
  announcement: Announcement
  names: readonly TypeDetails[]
  /** The content as it would be sent to the user who looks at it. */
  content: Content
  job: Job | undefined
  counts: Readonly<Record<Email['status'], number>>
  stop: MailStop
  /** Those of other dates that it was sent with. */
  others: readonly Other[]
}

interface Shown extends Loaded {
  /** Who would get a draft. */
  counted: Counted | undefined
}

async function load(tx: ReadTx, request: EventRequest, services: Services): Promise<Loaded> {
  const { event, user } = request
  const announcement = await findAnnouncement(tx, request)
  const counts = { waiting: 0, sent: 0, failed: 0, withdrawn: 0 }
  if (announcement.status !== 'draft') {
    for (const status of emailStatuses) {
      const of = { subjectId: announcement.id, status }
      counts[status] = await emails.countOfSubject(tx, of, MOST_COUNTED)
    }
  }
  return {
    announcement,
    names: await registrationTypes.listDetails(tx, event.id),
    content: await contentOf(tx, event.id, announcement, {
      name: user.name,
      ticket: exampleLink(user.language),
    }),
    job: await announcements.findJob(tx, announcement),
    counts,
    stop: await findMailStop(tx, services),
    others: await listOthers(tx, request, announcement),
  }
}

export const announcementPage = showPage('event', {
  ...OF_MESSAGES,
  path: ANNOUNCEMENT_PATH,
  prepare: async (services, request) => {
    const loaded = await services.db.read(request.account.id, tx => load(tx, request, services))
    const { announcement } = loaded
    const isDraft = announcement.status === 'draft'
    return { ...loaded, counted: isDraft ? await countDraft(services, request, announcement) : undefined }
  },
  view: (loaded, request) => {
    const { announcement, content, stop } = loaded
    const { event, user, voice } = request
    const { texts } = voice
    const { id, subject, status } = announcement
    const isDraft = status === 'draft'
    const isMoving = isUnderWay(loaded)
    return {
      title: fillTitle(subject, request),
      refresh: isMoving ? EVERY : undefined,
      body: (
        <div class="stack">
          <Head
            title={<bdi>{fillTitle(subject, request)}</bdi>}
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
                  <PostButton action={paths.announcement(event.id, id, 'test')}>
                    {texts.announcements.test}
                  </PostButton>
                  <ButtonLink href={paths.announcement(event.id, id, 'remove')} isDestructive>
                    {texts.announcements.remove}
                  </ButtonLink>
                </>
              )
            }
          />
          <MailStopBanner stop={stop} voice={voice} />
          <Live id="sending" every={isMoving ? EVERY : undefined}>
            <State loaded={loaded} request={request} />
          </Live>
          <SentWith others={loaded.others} voice={voice} />
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

/** Returns whether mails of the announcement are still being written or going out. */
function isUnderWay(loaded: Loaded): boolean {
  return isWriting(loaded) || loaded.counts.waiting > 0
}

function State({ loaded, request }: { loaded: Shown; request: EventRequest }) {
  const { announcement, names, job, counts, counted, others } = loaded
  const { event, voice } = request
  const { texts, format } = voice
  const { id, status, sent_at } = announcement
  const to = [
    texts.announcements.to,
    <bdi key="to">{describeAudience(announcement, names, voice)}</bdi>,
  ] as const
  if (counted !== undefined) {
    const count = tellCounted(counted.counted.all, voice, counted.reach.dates.length > 1)
    return (
      <section class="card stack" aria-labelledby="progress">
        <h2 id="progress">{texts.announcements.group}</h2>
        <Facts facts={[to, [texts.announcements.count, count]]} />
        <ReachedDates of={counted} voice={voice} />
        {sentencesOfReach(counted.reach, voice).map(sentence => (
          <p key={sentence} class="help">
            {sentence}
          </p>
        ))}
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
      {status === 'sent' && (isUnderWay(loaded) || others.some(({ isMoving }) => isMoving)) && (
        <div>
          <PostButton action={paths.announcement(event.id, id, 'stop')}>
            {texts.announcements.stop}
          </PostButton>
          <p class="help">
            {others.length > 0 ? texts.announcements.stopAboutDates : texts.announcements.stopAbout}
          </p>
        </div>
      )}
    </section>
  )
}

function sentenceOf(
  loaded: Loaded,
  hasFailed: boolean,
  texts: EventRequest['voice']['texts']['announcements'],
): string {
  if (loaded.announcement.status === 'stopped') return texts.isStopped
  if (hasFailed) return texts.hasFailed
  if (isWriting(loaded)) return texts.writing
  return loaded.counts.waiting > 0 ? texts.goingOut : texts.allOut
}
