import { readCursor } from '#faces/dashboard/frame/list-page.ts'
import type { View } from '#faces/dashboard/frame/page.ts'
import type { AccountRequest, EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import { type Email, emailStatuses } from '#machinery/mail/schemas.ts'
import { ButtonLink, Empty, Head, Tabs, Time } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { type List, ListTools, Pages, type Query, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import {
  findMailStop,
  MailStatus,
  type MailStop,
  MailStopBanner,
  MessageSections,
  nameOfKind,
  OF_MESSAGES,
  placeOfMails,
} from './message-parts.tsx'

const PER_PAGE = 50
/** Each of the four states is counted up to this number, so all of them read 20,000 rows at most. */
const MOST_COUNTED = 5_000

interface Row extends Email {
  href: string
}

const list: List<Row> = {
  caption: texts => texts.messages.caption,
  columns: [
    {
      label: texts => texts.messages.to,
      place: 'name',
      cell: ({ recipient, href }) => (
        <a href={href}>
          <bdi>{recipient}</bdi>
        </a>
      ),
    },
    {
      label: texts => texts.messages.kind,
      place: 'line',
      cell: ({ kind, subject }, { texts }) => (
        <>
          {nameOfKind(kind, texts)}
          {subject !== null && (
            <>
              {': '}
              <bdi>{subject}</bdi>
            </>
          )}
        </>
      ),
    },
    {
      label: texts => texts.messages.state,
      place: 'amount',
      cell: ({ status }, { texts }) => <MailStatus status={status} texts={texts} />,
    },
    {
      label: texts => texts.messages.when,
      place: 'when',
      isNumber: true,
      cell: ({ sent_at, created_at }, { format }) => <Time at={sent_at ?? created_at} format={format} />,
    },
  ],
}

interface Loaded {
  query: Query
  rows: readonly Row[]
  next: string | undefined
  /** It is undefined for a search, which goes through all states. */
  counts: Readonly<Record<Email['status'], number>> | undefined
  stop: MailStop
}

async function load(tx: ReadTx, request: AccountRequest | EventRequest, services: Services): Promise<Loaded> {
  const { account, query } = request
  const { eventId, mail } = placeOfMails(request)
  const status = emailStatuses.find(each => each === query.get('state'))
  const recipient = query.get('q')?.trim() || undefined
  const scope = JSON.stringify(['emails', account.id, eventId, status, recipient])
  const after = readCursor(services.cursors, scope, request)
  const page = { limit: PER_PAGE, after }
  const { rows, next } = await emails.search(tx, { eventId, status, recipient }, page)
  return {
    query: { q: recipient, state: status, after: query.get('after') ?? undefined },
    rows: rows.map(row => ({ ...row, href: mail(row.id) })),
    next: next && services.cursors.encode(scope, { created_at: next.created_at, id: next.id }),
    counts: recipient === undefined ? await countAll(tx, eventId) : undefined,
    stop: await findMailStop(tx, services),
  }
}

async function countAll(tx: ReadTx, eventId: string | null) {
  const counts = { waiting: 0, sent: 0, failed: 0, withdrawn: 0 }
  for (const status of emailStatuses) {
    counts[status] = await emails.countStatus(tx, { eventId, status }, MOST_COUNTED)
  }
  return counts
}

/** Lists every mail about an event. */
export const messagesPage = showPage('event', {
  ...OF_MESSAGES,
  path: '/e/{event}/messages',
  navigation: { icon: 'mail', text: texts => texts.navigation.messages },
  load,
  view,
})

/** Lists the mails about no event. Some of them let people sign in. */
export const accountMessagesPage = showPage('account', {
  path: '/a/{account}/messages',
  permission: 'account.messages',
  navigation: { icon: 'mail', text: texts => texts.navigation.messages },
  load,
  view,
})

function view(loaded: Loaded, request: AccountRequest | EventRequest): View {
  const { messages: texts } = request.voice.texts
  const isOfEvent = 'event' in request
  return {
    title: texts.title,
    body: (
      <>
        <Head title={texts.title} about={isOfEvent ? texts.about : texts.accountAbout} />
        {isOfEvent && <MessageSections request={request} at="log" />}
        <MailStopBanner stop={loaded.stop} voice={request.voice} />
        <Messages loaded={loaded} request={request} />
      </>
    ),
  }
}

function Messages({ loaded, request }: { loaded: Loaded; request: AccountRequest | EventRequest }) {
  const { query, rows, next, counts } = loaded
  const { voice } = request
  const { texts } = voice
  const { list: path, eventId } = placeOfMails(request)
  if (counts !== undefined && Object.values(counts).every(count => count === 0)) {
    return (
      <Empty
        icon="mail"
        title={texts.messages.none}
        action={
          eventId !== null && (
            <ButtonLink href={paths.newAnnouncement(eventId)}>{texts.announcements.write}</ButtonLink>
          )
        }
      >
        {eventId === null ? texts.messages.noneOfAccount : texts.messages.noneAbout}
      </Empty>
    )
  }
  const isSearch = query.q !== undefined
  return (
    <>
      <ListTools path={path} query={query} voice={voice} search={texts.messages.search} kept={['state']} />
      <StateTabs path={path} query={query} counts={counts} voice={voice} />
      {rows.length > 0 ? (
        <Table list={list} rows={rows} voice={voice} />
      ) : isSearch && next === undefined && query.after === undefined ? (
        <Empty icon="search" title={texts.messages.noneFound}>
          {texts.messages.noneFoundAbout}
        </Empty>
      ) : (
        <p class="quiet">{isSearch ? texts.messages.noneHere : texts.messages.noneInState}</p>
      )}
      <Pages path={path} query={query} shown={rows.length} next={next} texts={texts} />
    </>
  )
}

function StateTabs({
  path,
  query,
  counts,
  voice,
}: Pick<Loaded, 'query' | 'counts'> & { path: string; voice: Voice }) {
  const { texts, format } = voice
  const of = (state: Email['status'] | undefined) => ({
    href: withQuery(path, { ...query, state, after: undefined }),
    isCurrent: query.state === state,
  })
  return (
    <Tabs
      label={texts.messages.states}
      tabs={[
        { ...of(undefined), text: texts.page.all },
        ...emailStatuses.map(status => ({
          ...of(status),
          text: texts.messages.status[status],
          count:
            counts && texts.messages.counted(format.number(counts[status]), counts[status] === MOST_COUNTED),
        })),
      ]}
    />
  )
}
